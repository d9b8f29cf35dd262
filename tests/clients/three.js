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

window.picture = async (path, clip, time, eye, target, size) => {
  const [scene, mixer] = await opened(path, clip);
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = size;
  const renderer = new THREE.WebGLRenderer({canvas, antialias: true, preserveDrawingBuffer: true});
  renderer.toneMapping = THREE.ACESFilmicToneMapping;
  const world = new THREE.Scene();
  world.background = new THREE.Color(0.55, 0.65, 0.8);
  world.add(new THREE.HemisphereLight(0xddeeff, 0x667755, 4));
  const sun = new THREE.DirectionalLight(0xfff4e0, 7);
  sun.position.set(5, 10, 7);
  world.add(sun, scene);
  const camera = new THREE.PerspectiveCamera(40, size[0] / size[1], 0.01, 500);
  camera.position.set(...eye);
  camera.lookAt(...target);
  scene.traverse(one => { one.frustumCulled = false; });
  mixer.setTime(time);
  renderer.render(world, camera);
  return canvas.toDataURL();
};

window.ready = true;
