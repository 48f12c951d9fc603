// The numbers of a page: one compressed block of bytes, and a JSON text that says where each array is.

const KINDS = {
  u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f32: Float32Array, f64: Float64Array,
};

export async function readPage() {
  const data = JSON.parse(document.getElementById("data").textContent);
  const buffer = await inflate(document.getElementById("numbers").textContent.trim());
  return { data, arrays: new Arrays(buffer) };
}

async function inflate(text) {
  const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

export class Arrays {
  constructor(buffer) {
    this.buffer = buffer;
  }

  get(ref) {
    return new KINDS[ref.kind](this.buffer, ref.at, ref.n);
  }

  // Numbers (n, k) that are stored as codes, axis by axis, in differences: value = low + step * code.
  quantised(ref) {
    const codes = this.get(ref.codes), width = ref.low.length, count = codes.length / width;
    const out = new Float32Array(codes.length);
    for (let k = 0; k < width; k++) {
      let code = 0;
      for (let i = 0; i < count; i++) {
        code = (code + codes[k * count + i]) & 0xffff;
        out[i * width + k] = ref.low[k] + ref.step[k] * code;
      }
    }
    return out;
  }

  // Whole numbers that are stored as differences from one to the next.
  summed(ref) {
    const out = this.get(ref).slice();
    for (let i = 1; i < out.length; i++) out[i] += out[i - 1];
    return out;
  }

  // Quantised channels as (count, channels) numbers: value = low + step * code, codes as differences in time.
  channels(ref) {
    const { count } = ref;
    const low = this.get(ref.low), step = this.get(ref.step), bits = this.get(ref.bits);
    const narrow = this.get(ref.narrow), wide = this.get(ref.wide);
    const width = low.length, out = new Float32Array(count * width);
    let atNarrow = 0, atWide = 0;
    for (let c = 0; c < width; c++) {
      let code = 0;
      for (let i = 0; i < count; i++) {
        if (bits[c] === 16) code = (code + narrow[atNarrow++]) & 0xffff;
        else if (bits[c] === 32) code = (code + wide[atWide++]) >>> 0;
        out[i * width + c] = low[c] + step[c] * code;
      }
    }
    return out;
  }
}
