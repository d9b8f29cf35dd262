// What the Khronos validator says of .glb files: node validate.mjs FOLDER_OF_PACKAGES FILE…
import fs from 'node:fs';
import {createRequire} from 'node:module';

const [folder, ...files] = process.argv.slice(2);
const validator = createRequire(folder + '/')('gltf-validator');
const said = {};
for (const file of files) {
  const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {maxIssues: 20});
  said[file] = report.issues.messages.filter(one => one.severity < 2).map(one => `${one.pointer}: ${one.message}`);
}
console.log(JSON.stringify(said));
