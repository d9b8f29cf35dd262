// Vertices of all meshes of a .glb at some times, moved by three.js on the CPU, in the world; and a picture of it.
import * as THREE from 'three';
import {GLTFLoader} from 'three/addons/loaders/GLTFLoader.js';

async function opened(path, clip) {
  const file = await new GLTFLoader().loadAsync(path);
  const mixer = new THREE.AnimationMixer(file.scene);
  mixer.clipAction(file.animations[clip]).play();
  return [file.scene, mixer, file.animations.map(one => one.name)];
}

window.vertices = async (path, clip, times) => {
  const [scene, mixer, names] = await opened(path, clip);
  const place = new THREE.Vector3();
  const moments = times.map(time => {
    mixer.setTime(time);
    scene.updateMatrixWorld(true);
    const all = [];
    scene.traverse(mesh => {
      if (!mesh.isMesh) return;
      mesh.skeleton?.update();
      for (let k = 0; k < mesh.geometry.attributes.position.count; k++) {
        mesh.getVertexPosition(k, place).applyMatrix4(mesh.matrixWorld);
        all.push(place.x, place.y, place.z);
      }
    });
    return all;
  });
  return {names, moments};
};

// The renderer's own tone curve (tone.wgsl), so that pictures differ by what is in the files alone.
THREE.ShaderChunk.tonemapping_pars_fragment = THREE.ShaderChunk.tonemapping_pars_fragment.replace(
  'vec3 CustomToneMapping( vec3 color ) { return color; }',
  `vec3 filmic(vec3 x) {
    const float c = 1.22, s = 0.97, grey = 0.18, white = 7.0;
    float ga = pow(grey, c), wa = pow(white, c), gd = pow(grey, c * s), wd = pow(white, c * s);
    float below = (wd - gd) * grey;
    return pow(x, vec3(c)) / ((wa * grey - ga) / below * pow(x, vec3(c * s)) + (wd * ga - wa * gd * grey) / below);
  }
  vec3 CustomToneMapping(vec3 color) {
    float peak = max(max(color.r, color.g), max(color.b, 1e-6));
    return 0.5 * (filmic(color) + filmic(vec3(peak)) * color / peak);
  }`);

// Light of the sky falls on surfaces by its probe; what its picture is for is gloss.
THREE.ShaderChunk.lights_fragment_maps = THREE.ShaderChunk.lights_fragment_maps.replace(
  'iblIrradiance += getIBLIrradiance( geometryNormal );', '');

function mirrored(probe) {
  const [wide, high] = [64, 32], numbers = [], ray = new THREE.Vector3(), light = new THREE.Vector3();
  for (let row = 0; row < high; row++) {
    for (let column = 0; column < wide; column++) {
      const height = ((row + 0.5) / high - 0.5) * Math.PI, around = ((column + 0.5) / wide - 0.5) * 2 * Math.PI;
      ray.set(Math.cos(height) * Math.cos(around), Math.sin(height), Math.cos(height) * Math.sin(around));
      probe.sh.getAt(ray, light).clampScalar(0, 60000);
      numbers.push(...light, 1);
    }
  }
  const picture = new THREE.DataTexture(Uint16Array.from(numbers, THREE.DataUtils.toHalfFloat), wide, high);
  Object.assign(picture, {type: THREE.HalfFloatType, mapping: THREE.EquirectangularReflectionMapping});
  picture.minFilter = picture.magFilter = THREE.LinearFilter;
  picture.needsUpdate = true;
  return picture;
}

function lit(world, light, target, reach) {
  const probe = new THREE.LightProbe();
  probe.sh.fromArray(light.ambient);
  const sun = new THREE.DirectionalLight();
  sun.color.setRGB(...light.colour);
  sun.target.position.set(...target);
  sun.position.set(...light.sun).multiplyScalar(2 * reach).add(sun.target.position);
  sun.castShadow = true;
  sun.shadow.mapSize.set(2048, 2048);
  sun.shadow.bias = -0.0015;  // along normals it would shade leaves of which the back is seen, whose normals are not turned for it
  Object.assign(sun.shadow.camera, {left: -reach, right: reach, bottom: -reach, top: reach, near: reach, far: 3 * reach});
  world.environment = mirrored(probe);
  world.add(probe, sun, sun.target);
}

window.picture = async (path, clip, time, eye, target, size, light) => {
  const [scene, mixer] = await opened(path, clip);
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = size;
  const renderer = new THREE.WebGLRenderer({canvas, alpha: true, antialias: true, preserveDrawingBuffer: true});
  renderer.setClearColor(0, 0);
  renderer.toneMapping = THREE.CustomToneMapping;
  renderer.shadowMap.enabled = true;
  const camera = new THREE.PerspectiveCamera(40, size[0] / size[1], 0.01, 500);
  camera.position.set(...eye);
  camera.lookAt(...target);
  const world = new THREE.Scene();
  lit(world, light, target, camera.position.distanceTo(new THREE.Vector3(...target)) / 2);
  world.add(scene);
  scene.traverse(one => {
    one.frustumCulled = false;
    one.castShadow = one.receiveShadow = true;
  });
  mixer.setTime(time);
  renderer.render(world, camera);
  const shown = canvas.toDataURL();
  renderer.dispose();
  return shown;
};

window.ready = true;
