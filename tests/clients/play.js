// Makes the calls of a tape (tape.py) on a device with the limits that core WebGPU guarantees.
// Gives a line for each call that is wrong, and the bytes of every buffer that is read, in their order.
async (calls) => {
  const adapter = await navigator.gpu.requestAdapter();
  const device = await adapter.requestDevice();
  const made = [device, device.queue];
  const errors = [], reads = [];
  const kinds = ["validation", "internal", "out-of-memory"];

  const heard = (value) => {
    if (value === null || typeof value !== "object") return value;
    if (Array.isArray(value)) return value.map(heard);
    if ("$" in value) return made[value.$];
    if ("$bytes" in value) return Uint8Array.from(atob(value.$bytes), (letter) => letter.charCodeAt(0));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, heard(item)]));
  };

  const filled = ({data, ...rest}) => {
    const buffer = device.createBuffer({...rest, size: Math.ceil(data.length / 4) * 4, mappedAtCreation: true});
    new Uint8Array(buffer.getMappedRange()).set(data);
    buffer.unmap();
    return buffer;
  };

  const read = async (buffer, offset = 0, size = buffer.size - offset) => {
    const copy = device.createBuffer({size, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ});
    const encoder = device.createCommandEncoder();
    encoder.copyBufferToBuffer(buffer, offset, copy, 0, size);
    device.queue.submit([encoder.finish()]);
    await copy.mapAsync(GPUMapMode.READ);
    const bytes = new Uint8Array(copy.getMappedRange());
    reads.push(btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")));
  };

  const called = async ({on, "do": name, args}) => {
    const said = args.map(heard);
    if (name === "createBufferWithData") return filled(...said);
    if (name === "readBuffer") return read(...said);
    const result = made[on][name.endsWith("Pipeline") && on === 0 ? `${name}Async` : name](...said);
    if (name !== "createShaderModule") return result;
    const {messages} = await result.getCompilationInfo();
    for (const {type, lineNum, message} of messages) {
      if (type === "error") throw new Error(`line ${lineNum}: ${message}`);
    }
    return result;
  };

  for (const call of calls) {
    const found = [];
    kinds.forEach((kind) => device.pushErrorScope(kind));
    try {
      made[call.id] = await called(call);
    } catch (error) {
      found.push(error.message);
    }
    for (const _ of kinds) {
      const error = await device.popErrorScope();
      if (error) found.push(error.message);
    }
    if (found.length) errors.push([call.do, ...call.args.map((said) => said?.label ?? ""), found[0]].join(" "));
  }
  return {errors, reads};
};
