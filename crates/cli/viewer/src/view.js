// The view of a clash: both parts see-through, the triangles in contact red, the parts around them
// faint. Everything is placed relative to the clash, so that scenes far from the origin stay sharp.
import {
  Box3, BufferAttribute, BufferGeometry, Color, DirectionalLight, DoubleSide, EdgesGeometry, Group,
  HemisphereLight, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshLambertMaterial,
  PerspectiveCamera, Points, PointsMaterial, Scene, Sphere, Vector3, WebGLRenderer, BoxGeometry,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { marked, meshOf, placed, scene } from "./scene.js";

// Colours of A, B and what is in contact: those of `impinge check --picture`.
const COLORS = [0x9eb8d6, 0xe6c280];
const RED = 0xdb1a1f;
const GREY = 0x8a93a0;
// Meshes of more triangles are shown without their edges, which take long to find.
const MOST_EDGED = 50_000;
// Bounds on the parts that are shown around the two.
const MOST_AROUND = 300;
const MOST_TRIANGLES_AROUND = 3_000_000;
const FIELD = 40;
// Opacity of the pair, and of the parts around it.
const SEEN_THROUGH = 0.3;
const FAINT = 0.07;
// Width of nearest points on the screen. Unit: pixels.
const POINT = 11;

const up = scene.up === "y" ? new Vector3(0, 1, 0) : new Vector3(0, 0, 1);
const from = scene.up === "y" ? new Vector3(0.6, 0.55, 1) : new Vector3(0.6, -1, 0.55);

/** The view on a canvas. Throws where the browser has no WebGL. */
export const makeView = canvas => {
  const renderer = new WebGLRenderer({ canvas, antialias: true });
  const camera = new PerspectiveCamera(FIELD, 1, 0.1, 100);
  camera.up.copy(up);
  const controls = new OrbitControls(camera, canvas);
  controls.zoomToCursor = true;
  const world = new Scene();
  const light = new DirectionalLight(0xffffff, 2);
  camera.add(light);
  light.position.set(-0.4, 0.7, 1);
  world.add(camera, new HemisphereLight(0xffffff, 0xb0b0b0, 1.6));
  const pair = new Group(), around = new Group();
  world.add(pair, around);
  const geometries = new Map();
  let spheres = { clash: new Sphere(), parts: new Sphere() };
  let solid = false, others = true, wanted = null, asked = false;

  const paint = () => {
    asked = false;
    renderer.render(world, camera);
    canvas.dataset.drawn = wanted?.drawn ? wanted.clash.id : "";
  };
  const draw = () => {
    if (!asked) requestAnimationFrame(paint);
    asked = true;
  };

  // The geometry of a part's mesh, or a box where it was left out.
  const geometryOf = async number => {
    if (!geometries.has(number)) {
      const mesh = await meshOf(number);
      const made = mesh ? new BufferGeometry() : new BoxGeometry(...scene.meshes[number].half.map(x => 2 * x));
      if (mesh) {
        made.setAttribute("position", new BufferAttribute(mesh.positions, 3));
        made.setIndex(new BufferAttribute(mesh.indices, 1));
      }
      geometries.set(number, made);
    }
    return geometries.get(number);
  };

  // Places an object with the pose of a part, relative to `origin`.
  const place = (object, part, origin) => {
    const r = part.rotation, { middle } = placed(part);
    const [x, y, z] = middle.map((value, k) => value - origin[k]);
    object.matrixAutoUpdate = false;
    object.matrix = new Matrix4(r[0], r[1], r[2], x, r[3], r[4], r[5], y, r[6], r[7], r[8], z, 0, 0, 0, 1);
    return object;
  };

  const opaque = opacity => ({ opacity, transparent: opacity < 1, depthWrite: opacity === 1 });
  const surface = (color, opacity) =>
    new MeshLambertMaterial({ color, ...opaque(opacity), side: DoubleSide, flatShading: true });

  // A geometry in red, and once more through everything before it.
  const reds = geometry => {
    const red = { color: RED, emissive: RED, emissiveIntensity: 0.35, side: DoubleSide, flatShading: true };
    const before = { polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -2 };
    const through = new MeshLambertMaterial({ ...red, transparent: true, opacity: 0.55, depthTest: false });
    const objects = [new MeshLambertMaterial({ ...red, ...before }), through].map(material => new Mesh(geometry, material));
    objects[1].renderOrder = 2;
    return objects;
  };

  // The triangles of a mesh in contact, as a geometry.
  const contactOf = (mesh, triangles) => {
    const positions = new Float32Array(9 * triangles.length);
    triangles.forEach((triangle, at) => {
      for (let corner = 0; corner < 3; corner++) {
        const vertex = 3 * mesh.indices[3 * triangle + corner];
        positions.set(mesh.positions.subarray(vertex, vertex + 3), 9 * at + 3 * corner);
      }
    });
    const contact = new BufferGeometry().setAttribute("position", new BufferAttribute(positions, 3));
    contact.own = true;
    return contact;
  };

  // A part of the pair: its surface, its edges, and its triangles in contact; all are red of a part
  // inside the other.
  const shown = async (part, color, marks, inner, origin) => {
    const [geometry, mesh, triangles] =
      await Promise.all([geometryOf(part.mesh), meshOf(part.mesh), marked(marks)]);
    const body = new Mesh(geometry, surface(color, solid ? 1 : SEEN_THROUGH));
    body.isBody = true;
    const objects = inner ? reds(geometry) : [body];
    if (!mesh || mesh.indices.length <= 3 * MOST_EDGED) {
      geometry.edges ??= new EdgesGeometry(geometry, 25);
      const ink = new Color(inner ? RED : color).multiplyScalar(0.55);
      objects.push(new LineSegments(geometry.edges, new LineBasicMaterial({ color: ink })));
    }
    if (mesh && triangles.length) objects.push(...reds(contactOf(mesh, triangles)));
    return objects.map(object => place(object, part, origin));
  };

  // The box around the contact, in red.
  const frame = (low, high, origin) => {
    const edges = new EdgesGeometry(new BoxGeometry(...low.map((value, k) => high[k] - value)));
    const lines = new LineSegments(edges, new LineBasicMaterial({ color: RED, depthTest: false }));
    lines.renderOrder = 3;
    edges.own = true;
    lines.position.set(...low.map((value, k) => (value + high[k]) / 2 - origin[k]));
    return lines;
  };

  // The nearest points of the two parts in red, of one size on the screen whatever is near, and the segment
  // between them.
  const segment = (ends, origin) => {
    const places = ends.flatMap(end => end.map((value, k) => value - origin[k]));
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(places), 3));
    geometry.own = true;
    // Those that are transparent are drawn after the parts.
    const red = { color: RED, depthTest: false, transparent: true };
    const dots = new PointsMaterial({ ...red, size: POINT, sizeAttenuation: false });
    const objects = [new LineSegments(geometry, new LineBasicMaterial(red)), new Points(geometry, dots)];
    for (const object of objects) object.renderOrder = 3;
    return objects;
  };

  const clear = group => {
    group.traverse(object => {
      object.material?.dispose();
      if (object.geometry?.own) object.geometry.dispose();
    });
    group.clear();
  };

  const boxOf = (part, origin) => {
    const { middle, half } = placed(part);
    const at = middle.map((value, k) => value - origin[k]);
    const corner = sign => new Vector3(...at.map((value, k) => value + sign * half[k]));
    return new Box3(corner(-1), corner(1));
  };

  // The other parts near the pair, in the order of the file.
  const showAround = async (clash, origin, box, current) => {
    const room = box.clone().expandByScalar(0.1 * box.getSize(new Vector3()).length());
    let triangles = 0, count = 0;
    for (const [number, part] of scene.parts.entries()) {
      if (number === clash.a || number === clash.b || !boxOf(part, origin).intersectsBox(room)) continue;
      triangles += scene.meshes[part.mesh].triangles;
      if (++count > MOST_AROUND || triangles > MOST_TRIANGLES_AROUND) break;
      const geometry = await geometryOf(part.mesh);
      if (wanted !== current) return;
      around.add(place(new Mesh(geometry, surface(GREY, FAINT)), part, origin));
    }
    around.visible = others;
  };

  const fit = sphere => {
    const distance = sphere.radius / Math.sin(FIELD / 2 * Math.PI / 180) / Math.min(1, camera.aspect);
    controls.target.copy(sphere.center);
    camera.position.copy(from).normalize().multiplyScalar(distance).add(sphere.center);
    controls.update();
    draw();
  };

  controls.addEventListener("change", () => {
    const distance = camera.position.distanceTo(controls.target);
    camera.near = Math.max(distance / 1000, 1e-12);
    camera.far = distance + 4 * spheres.parts.radius + spheres.clash.radius;
    camera.updateProjectionMatrix();
    draw();
  });

  const resize = () => {
    const { clientWidth: width, clientHeight: height } = canvas.parentElement;
    if (!width || !height) return;
    renderer.setPixelRatio(devicePixelRatio);
    renderer.setSize(width, height, false);
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
    draw();
  };
  new ResizeObserver(resize).observe(canvas.parentElement);
  resize();

  const dress = () => {
    world.background = new Color(getComputedStyle(canvas).getPropertyValue("--scene").trim());
    draw();
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", dress);
  dress();

  /** Shows a clash. */
  const show = async clash => {
    const current = wanted = { clash, drawn: false };
    const [a, b] = [clash.a, clash.b].map(part => scene.parts[part]);
    const inner = clash.inner === "a" ? a : b;
    const extent = clash.extent ?? [-1, 1].map(sign => {
      const { middle, half } = placed(inner);
      return middle.map((value, k) => value + sign * half[k]);
    });
    const origin = extent[0].map((low, k) => (low + extent[1][k]) / 2);
    const objects = await Promise.all([a, b].map((part, k) =>
      shown(part, COLORS[k], clash.marks[k], clash.class === "inside" && part === inner, origin)));
    if (wanted !== current) return;
    [pair, around].forEach(clear);
    pair.add(...objects.flat());
    const box = boxOf(a, origin).union(boxOf(b, origin));
    const least = Math.min(...[a, b].map(part => Math.hypot(...placed(part).half)));
    const size = Math.hypot(...extent[0].map((low, k) => extent[1][k] - low)) / 2;
    if (clash.nearest) pair.add(...segment(clash.nearest, origin));
    else if (clash.extent) pair.add(frame(...extent, origin));
    spheres = {
      clash: new Sphere(new Vector3(), Math.max(1.2 * size, 0.7 * least, 1e-9)),
      parts: box.getBoundingSphere(new Sphere()),
    };
    fit(spheres.clash);
    current.drawn = true;
    await showAround(clash, origin, box, current);
    draw();
  };

  return {
    show,
    fitClash: () => fit(spheres.clash),
    fitParts: () => fit(spheres.parts),
    /** Shows the parts solid or see-through. */
    setSolid: yes => {
      solid = yes;
      for (const object of pair.children.filter(child => child.isBody)) {
        Object.assign(object.material, opaque(yes ? 1 : SEEN_THROUGH), { needsUpdate: true });
      }
      draw();
    },
    /** Shows or hides the parts around. */
    setOthers: yes => {
      others = around.visible = yes;
      draw();
    },
  };
};
