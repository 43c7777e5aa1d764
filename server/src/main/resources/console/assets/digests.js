// MD5, SHA-256 and HMAC-SHA256 of texts in UTF-8, as hexadecimal digits in lower case. Browsers have
// no MD5 of their own, and their SHA-256 only on https; a console may well run on plain http.
const utf8 = (text) => new TextEncoder().encode(text);

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

// The message, a 1 bit, zeros, and the length in bits, in blocks of 64 bytes.
function padded(bytes, littleEndian) {
  const length = Math.ceil((bytes.length + 9) / 64) * 64;
  const block = new Uint8Array(length);
  block.set(bytes);
  block[bytes.length] = 0x80;
  const view = new DataView(block.buffer);
  const low = (bytes.length << 3) >>> 0;
  const high = Math.floor(bytes.length / 0x20000000);
  view.setUint32(length - 8, littleEndian ? low : high, littleEndian);
  view.setUint32(length - 4, littleEndian ? high : low, littleEndian);
  return view;
}

// The integer parts of 2³² · |sin(i + 1)|, and how far each step turns.
const SINES = Array.from({ length: 64 }, (_, i) => Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32) >>> 0);
const TURNS = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];

const turnLeft = (word, by) => (word << by) | (word >>> (32 - by));
const turnRight = (word, by) => (word >>> by) | (word << (32 - by));

export function md5(text) {
  const view = padded(utf8(text), true);
  const sum = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476];
  for (let start = 0; start < view.byteLength; start += 64) {
    let [a, b, c, d] = sum;
    for (let i = 0; i < 64; i++) {
      const round = i >> 4;
      const mixed = [
        () => (b & c) | (~b & d),
        () => (d & b) | (~d & c),
        () => b ^ c ^ d,
        () => c ^ (b | ~d),
      ][round]();
      const word = [i, 5 * i + 1, 3 * i + 5, 7 * i][round] % 16;
      const added = (a + mixed + SINES[i] + view.getUint32(start + word * 4, true)) | 0;
      [a, d, c, b] = [d, c, b, (b + turnLeft(added, TURNS[round][i % 4])) | 0];
    }
    [a, b, c, d].forEach((part, i) => {
      sum[i] = (sum[i] + part) | 0;
    });
  }
  const out = new DataView(new ArrayBuffer(16));
  sum.forEach((word, i) => out.setUint32(i * 4, word, true));
  return hex(new Uint8Array(out.buffer));
}

// The first 32 bits of the fractional parts of roots of primes, which SHA-256 begins with.
const PRIMES = [];
for (let candidate = 2; PRIMES.length < 64; candidate++) {
  if (PRIMES.every((prime) => candidate % prime !== 0)) {
    PRIMES.push(candidate);
  }
}
const fraction = (root) => Math.floor((root % 1) * 2 ** 32) >>> 0;
const BEGIN = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUNDS = PRIMES.map((prime) => fraction(Math.cbrt(prime)));

function sha256Bytes(bytes) {
  const view = padded(bytes, false);
  const sum = [...BEGIN];
  const words = new Array(64);
  for (let start = 0; start < view.byteLength; start += 64) {
    for (let i = 0; i < 64; i++) {
      if (i < 16) {
        words[i] = view.getInt32(start + i * 4);
      } else {
        const near = words[i - 2];
        const far = words[i - 15];
        const one = turnRight(near, 17) ^ turnRight(near, 19) ^ (near >>> 10);
        const two = turnRight(far, 7) ^ turnRight(far, 18) ^ (far >>> 3);
        words[i] = (one + words[i - 7] + two + words[i - 16]) | 0;
      }
    }
    let [a, b, c, d, e, f, g, h] = sum;
    for (let i = 0; i < 64; i++) {
      const big = turnRight(e, 6) ^ turnRight(e, 11) ^ turnRight(e, 25);
      const first = (h + big + ((e & f) ^ (~e & g)) + ROUNDS[i] + words[i]) | 0;
      const small = turnRight(a, 2) ^ turnRight(a, 13) ^ turnRight(a, 22);
      const second = (small + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((part, i) => {
      sum[i] = (sum[i] + part) | 0;
    });
  }
  const out = new DataView(new ArrayBuffer(32));
  sum.forEach((word, i) => out.setInt32(i * 4, word));
  return new Uint8Array(out.buffer);
}

export const sha256 = (text) => hex(sha256Bytes(utf8(text)));

export function hmacSha256(secret, text) {
  let key = utf8(secret);
  key = key.length > 64 ? sha256Bytes(key) : key;
  const block = new Uint8Array(64);
  block.set(key);
  const joined = (mask, bytes) => {
    const all = new Uint8Array(64 + bytes.length);
    all.set(block.map((byte) => byte ^ mask));
    all.set(bytes, 64);
    return all;
  };
  return hex(sha256Bytes(joined(0x5c, sha256Bytes(joined(0x36, utf8(text))))));
}
