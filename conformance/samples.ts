/** The smallest true file of each kind, as base64: what the cases and the random messages attach. */

const latin = (text: string): string => btoa(text);

const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>>endobj
trailer<</Root 1 0 R>>
%%EOF
`;

const WAV =
  "RIFF\x28\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0data\x04\0\0\0\0\0\0\0";
const MP4 = "\0\0\0\x18ftypisom\0\0\x02\0isomiso2\0\0\0\x08free";
const PSD = `8BPS\0\x01\0\0\0\0\0\0\0\x03\0\0\0\x02\0\0\0\x02\0\x08\0\x03${"\0".repeat(12)}`;
const ZIP = `PK\x05\x06${"\0".repeat(18)}`;
const MP3 = "ID3\x04\0\0\0\0\0\0\xff\xfb\x90\x00";

export const SAMPLES = {
  png: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  gif: "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7",
  webp: "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==",
  pdf: latin(PDF),
  wav: latin(WAV),
  mp3: latin(MP3),
  mp4: latin(MP4),
  psd: latin(PSD),
  zip: latin(ZIP),
  svg: latin('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  text: latin("one\ntwo\n"),
  noise: latin("\0\x01\x02\xfe\xff"),
  empty: "",
} as const;

export type SampleName = keyof typeof SAMPLES;
