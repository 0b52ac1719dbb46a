// Prepare files for a message: texts unchanged, pictures scaled to fit one frame and without camera metadata.
const PICTURES = ["image/jpeg", "image/png", "image/webp", "image/gif"];
const LONGEST_PX = [1600, 1120, 800];
const PICTURE_BYTES = 200 * 1024;
const TOTAL_BYTES = 350 * 1024;
const QUALITIES = [0.85, 0.7, 0.5, 0.3];
export const FILES_MAX = 8;

/** A file that cannot be attached. `code`: attach_kind, attach_large, attach_many. */
export class NotAttached extends Error {
  constructor(code, name) {
    super(code);
    this.code = code;
    this.file = name;
  }
}

/** Return existing and new files, each as {name, mime, data}; `data` is base64url. Throws NotAttached. */
export async function withFiles(existing, files) {
  let all = [...existing];
  for (const file of files) {
    if (all.length === FILES_MAX) throw new NotAttached("attach_many", file.name);
    all = withAttachment(all, await attachmentOf(file, roomBeside(all)));
  }
  return all;
}

/** Add a file that is prepared already. Throws NotAttached. */
export function withAttachment(existing, file) {
  const all = [...existing, file];
  if (all.length > FILES_MAX) throw new NotAttached("attach_many", file.name);
  if (roomBeside(all) < 0) throw new NotAttached("attach_large", file.name);
  return all;
}

const roomBeside = (files) => files.reduce((room, { data }) => room - data.length * 0.75, TOTAL_BYTES);

export const isPicture = ({ mime }) => PICTURES.includes(mime);

/** Return the base64 of a file as data: URLs have it. */
export const toBase64 = ({ data }) => data.replaceAll("-", "+").replaceAll("_", "/") + "=".repeat((4 - (data.length % 4)) % 4);

/** Prepare one file. A picture takes half of the room at most, which leaves room for the next one. */
async function attachmentOf(file, room) {
  const name = file.name.slice(0, 64) || "file";
  if (PICTURES.includes(file.type)) return { name, mime: "image/jpeg", data: toBase64Url(await smaller(file, Math.min(PICTURE_BYTES, room / 2))) };
  if (file.size > TOTAL_BYTES) throw new NotAttached("attach_large", name);
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (!isText(bytes)) throw new NotAttached("attach_kind", name);
  return { name, mime: (file.type || "text/plain").slice(0, 64), data: toBase64Url(bytes) };
}

function isText(bytes) {
  try {
    return !new TextDecoder("utf-8", { fatal: true }).decode(bytes).includes("\0");
  } catch {
    return false;
  }
}

/** Return the picture as a JPEG of at most so many bytes. */
async function smaller(file, bytes) {
  const image = await createImageBitmap(file).catch(() => null);
  if (!image) throw new NotAttached("attach_kind", file.name);
  try {
    for (const longest of LONGEST_PX) {
      const canvas = scaled(image, longest);
      for (const quality of QUALITIES) {
        const jpeg = await canvas.convertToBlob({ type: "image/jpeg", quality });
        if (jpeg.size <= bytes) return new Uint8Array(await jpeg.arrayBuffer());
      }
    }
  } finally {
    image.close();
  }
  throw new NotAttached("attach_large", file.name);
}

/** Draw the picture on white: a JPEG has no transparency. */
function scaled(image, longest) {
  const scale = Math.min(1, longest / Math.max(image.width, image.height));
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(image.width * scale)), Math.max(1, Math.round(image.height * scale)));
  const context = canvas.getContext("2d", { alpha: false });
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

function toBase64Url(bytes) {
  let binary = "";
  for (let start = 0; start < bytes.length; start += 0x8000) binary += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
