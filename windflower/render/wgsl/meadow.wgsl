// What grows and lies on the ground; the blades of grass take their colour from here, too.

struct GroundStyle {
  colour: vec4f,     // w: half its size, m
  kind: vec4f,       // share of grass; how uneven it is; fallen leaves; height of the grass, m
};

@group(1) @binding(0) var<uniform> u_ground: GroundStyle;

// Dry and lush, worn and dense, in patches of many sizes.
fn meadow(p: vec2f) -> vec3f {
  let wide = noise2(p * 0.045) * 0.55 + noise2(p * 0.21 + 9.0) * 0.3 + noise2(p * 1.1 + 4.0) * 0.15;
  let dry = u_ground.colour.rgb * vec3f(1.55, 1.15, 0.75);
  let lush = u_ground.colour.rgb * vec3f(0.62, 0.82, 0.62);
  return mix(lush, dry, smoothstep(0.25, 0.75, wide));
}

fn bare_share(p: vec2f) -> f32 {
  return smoothstep(0.62, 0.82, noise2(p * 0.16 + 20.0) * 0.7 + noise2(p * 0.9) * 0.3) * u_ground.kind.x;
}

fn ground_colour(p: vec2f, near: f32) -> vec3f {
  let grain = mix(0.5, noise2(p * 34.0) * 0.6 + noise2(p * 90.0) * 0.4, near);
  let blades = mix(0.5, noise2(vec2f(p.x * 42.0 + noise2(p * 5.0) * 8.0, p.y * 17.0)), near);
  let grass = meadow(p) * (0.62 + 0.7 * blades);
  let soil = mix(u_ground.colour.rgb, vec3f(0.16, 0.115, 0.075), u_ground.kind.x) * (0.65 + 0.6 * grain);
  let plain = u_ground.colour.rgb * (0.8 + 0.35 * grain) * (0.9 + 0.2 * noise2(p * 0.35));
  let mixed = mix(plain, mix(grass, soil, 0.75 * bare_share(p)), u_ground.kind.x);
  return mix(mixed, fallen_leaf(p), fallen_cover(p) * near * u_ground.kind.z);
}

// One leaf to a cell, at a random place and turn; most cells have none.
fn fallen_cover(p: vec2f) -> f32 {
  let cell = floor(p * 6.0);
  let spot = vec2f(lattice2(cell + 3.0), lattice2(cell + 57.0)) * 0.5 + 0.25;
  let turn = 6.2832 * lattice2(cell + 91.0);
  let d = fract(p * 6.0) - spot;
  let along = abs(d.x * cos(turn) + d.y * sin(turn));
  let across = abs(d.y * cos(turn) - d.x * sin(turn));
  return step(0.55, lattice2(cell)) * (1.0 - smoothstep(0.16, 0.2, along + across * 1.6));
}

fn fallen_leaf(p: vec2f) -> vec3f {
  let tone = lattice2(floor(p * 6.0) + 23.0);
  return mix(vec3f(0.20, 0.10, 0.035), vec3f(0.34, 0.20, 0.05), tone);
}
