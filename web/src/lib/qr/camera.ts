/** The camera: asked for, looked through, and let go. */
import { decodeQR } from 'qr/decode.js';
import { CodeError } from './sequence';

/** Wide enough for dense codes, small enough to be looked through many times a second. */
const WIDTH = 1280;
const HEIGHT = 720;

const REFUSED = 'The browser blocks the camera for this page. Allow it in the address bar, and try again.';
const NONE = 'No camera found. Connect one and try again, or transfer the file by card or cable.';
const BUSY = 'The camera didn’t start. Close other programs that may be using it, and try again.';
const INSECURE = 'Browsers allow the camera only over HTTPS. Transfer the file by card or cable.';

/** Opens the camera that looks away from the person, else any. */
export async function openCamera(): Promise<MediaStream> {
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- it is missing on pages that came by plain HTTP
  if (!navigator.mediaDevices?.getUserMedia) throw new CodeError(INSECURE, false);
  try {
    return await navigator.mediaDevices.getUserMedia({
      audio: false,
      video: { facingMode: 'environment', width: { ideal: WIDTH }, height: { ideal: HEIGHT } },
    });
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    const denied = name === 'NotAllowedError' || name === 'SecurityError';
    const missing = name === 'NotFoundError' || name === 'OverconstrainedError';
    throw new CodeError(denied ? REFUSED : missing ? NONE : BUSY, false);
  }
}

export function closeCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** Looks at a playing video for codes, until it is stopped. A repeated code is reported once. */
export function watchCodes(video: HTMLVideoElement, onCode: (text: string) => void): () => void {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  let stopped = false;
  let before = '';
  const look = () => {
    if (stopped) return;
    const text = context && codeIn(video, canvas, context);
    if (text && text !== before) onCode((before = text));
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  return () => {
    stopped = true;
  };
}

function codeIn(video: HTMLVideoElement, canvas: HTMLCanvasElement, context: CanvasRenderingContext2D): string | null {
  if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA || video.videoWidth === 0) return null;
  const scale = Math.min(1, WIDTH / video.videoWidth);
  canvas.width = Math.round(video.videoWidth * scale);
  canvas.height = Math.round(video.videoHeight * scale);
  context.drawImage(video, 0, 0, canvas.width, canvas.height);
  try {
    return decodeQR(context.getImageData(0, 0, canvas.width, canvas.height));
  } catch {
    return null; // no code in this frame, or none that can be read
  }
}
