// Makes the things of a tape (windflower/web/tape.py) on a device with the limits that core WebGPU guarantees, and does the
// work of its start. Gives a line for each call that is wrong, and the bytes of every buffer that is read, in their order.
async ({things, start, blobs}) => {
  const adapter = await navigator.gpu.requestAdapter();
  const device = await adapter.requestDevice();
  const made = [], errors = [], reads = [];
  const kinds = ["validation", "internal", "out-of-memory"];

  const heard = (value) => {
    if (value === null || typeof value !== "object") return value;
    if (Array.isArray(value)) return value.map(heard);
    if ("$" in value) return made[value.$];
    if ("bytes" in value) return Uint8Array.from(atob(blobs[value.bytes]), (letter) => letter.charCodeAt(0));
    const bound = (key, item) => (key === "resource" && item instanceof GPUBuffer ? {buffer: item} : item);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, bound(key, heard(item))]));
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

  const submit = (...all) => {
    for (const commands of all) {
      const encoder = device.createCommandEncoder();
      for (const [name, ...args] of commands) {
        if (name !== "compute") throw new Error(`${name} is not played here`);
        const pass = encoder.beginComputePass();
        for (const [call, ...said] of args[0]) pass[call](...said.map(heard));
      }
      device.queue.submit([encoder.finish()]);
    }
  };

  const called = async ([name, ...args]) => {
    if (name === "submit") return submit(...args);
    const said = args.map(heard);
    if (name === "createBufferWithData") return filled(...said);
    if (name === "readBuffer") return read(...said);
    if (name === "writeBuffer") return device.queue.writeBuffer(...said);
    if (name === "getBindGroupLayout" || name === "createView") return said[0][name](...said.slice(1));
    const result = device[name.endsWith("Pipeline") ? `${name}Async` : name](...said);
    if (name !== "createShaderModule") return result;
    const {messages} = await result.getCompilationInfo();
    for (const {type, lineNum, message} of messages) {
      if (type === "error") throw new Error(`line ${lineNum}: ${message}`);
    }
    return result;
  };

  for (const [number, call] of [...things, ...start].entries()) {
    const found = [];
    kinds.forEach((kind) => device.pushErrorScope(kind));
    try {
      made[number] = await called(call);
    } catch (error) {
      found.push(error.message);
    }
    for (const _ of kinds) {
      const error = await device.popErrorScope();
      if (error) found.push(error.message);
    }
    if (found.length) errors.push([call[0], ...call.slice(1).map((said) => said?.label ?? ""), found[0]].join(" "));
  }
  return {errors, reads};
};
