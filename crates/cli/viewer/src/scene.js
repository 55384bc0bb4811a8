// The scene of the page: parts, clashes, and meshes that are unpacked when they are first shown.

/** The scene that the page holds. */
export const scene = JSON.parse(document.getElementById("scene").textContent);

/** The clash of an id. */
export const byId = new Map(scene.clashes.map((clash, number) => [clash.id, number]));

// Base64 of a zlib stream.
const inflated = async text => {
  const packed = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};

// Reads `count` numbers: seven bits a byte, the lowest first; each is a signed difference to the one
// before, with the sign in the lowest bit.
const differences = (bytes, at, count) => {
  const numbers = new Uint32Array(count);
  let last = 0;
  for (let i = 0; i < count; i++) {
    let value = 0, shift = 0, byte;
    do {
      byte = bytes[at++];
      value += (byte & 127) * 2 ** shift;
      shift += 7;
    } while (byte > 127);
    last += value % 2 ? -(value + 1) / 2 : value / 2;
    numbers[i] = last;
  }
  return numbers;
};

// The vertices, whose bytes are stored by place: all first bytes, all second bytes, and so on.
const unpackedMesh = async ({ vertices, triangles, data }) => {
  const bytes = await inflated(data);
  const count = 3 * vertices;
  const places = new Uint8Array(4 * count);
  for (let byte = 0; byte < 4; byte++) {
    for (let i = 0; i < count; i++) places[4 * i + byte] = bytes[byte * count + i];
  }
  const positions = new Float32Array(count);
  const words = new DataView(places.buffer);
  for (let i = 0; i < count; i++) positions[i] = words.getFloat32(4 * i, true);
  return { positions, indices: differences(bytes, 4 * count, 3 * triangles) };
};

const meshes = new Map();

/** The vertices, relative to the mesh's middle, and triangles of a mesh; null if it was left out. */
export const meshOf = number => {
  const mesh = scene.meshes[number];
  if (!mesh.data) return Promise.resolve(null);
  if (!meshes.has(number)) meshes.set(number, unpackedMesh(mesh));
  return meshes.get(number);
};

/** The triangles of a part that are in contact, ascending. */
export const marked = async ({ count, data }) =>
  count ? differences(await inflated(data), 0, count) : new Uint32Array(0);

// Applies the pose of a part to a point of its mesh.
const posed = ({ rotation: r, translation: t }, [x, y, z]) =>
  [0, 1, 2].map(k => r[3 * k] * x + r[3 * k + 1] * y + r[3 * k + 2] * z + t[k]);

/** The middle of a part's mesh in the world, and half the size of the box around it there. */
export const placed = part => {
  const { middle, half } = scene.meshes[part.mesh];
  const r = part.rotation.map(Math.abs);
  const size = [0, 1, 2].map(k => r[3 * k] * half[0] + r[3 * k + 1] * half[1] + r[3 * k + 2] * half[2]);
  return { middle: posed(part, middle), half: size };
};
