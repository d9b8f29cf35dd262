// Amounts of shapes lie group by group of instances, row by row, and lane by lane: see `motion.modal.instances.grouped`.

const LANES = 32u;  // instances in a group

// Where a row of an instance lies, of so many rows.
fn lane_at(instance: u32, row: u32, rows: u32) -> u32 {
  return (instance / LANES * rows + row) * LANES + instance % LANES;
}
