import type { Page } from 'playwright-core';

/** The drop zone's file input. */
export const fileInput = (page: Page) => page.getByLabel('PSBT file');
/** The one button that sends; it is there once there is something to send. */
export const proveButton = (page: Page) => page.getByRole('button', { name: /^Verify ([\d.]+ BTC|these coins)$/ });
/** The name of the step that a file is at. */
export const stepHeading = (page: Page) => page.getByRole('heading', { level: 2, name: /^(Sign .+|More signatures are needed|A signature is not valid|Your proof is signed)$/ });

export async function openUpload(page: Page): Promise<void> {
  // Otherwise the earlier file and wallet would still be chosen.
  if (page.url().startsWith('http')) await page.evaluate(() => {
      sessionStorage.removeItem('chosen-file');
      localStorage.removeItem('wallet');
    });
  await page.goto('/upload');
  await page.getByRole('heading', { name: 'Upload PSBT Verification' }).waitFor();
}

/** How far from the top of the window the first control of a step may be, in pixels. */
export const FIRST_CONTROL_PX = 400;

/** The first control of the step that can be used: a button, a field, or the zone for a file. Folded texts and links are none, and neither is what stands beside the step. */
export const firstControl = (page: Page) =>
  page.evaluate(() => {
    const all = [...document.querySelectorAll<HTMLElement>('main :is(button, select, textarea, label, input):not(.sr-only, :disabled, aside *, nav *)')];
    const usable = all.filter((it) => it.checkVisibility({ visibilityProperty: true }) && it.getBoundingClientRect().height > 0);
    const tops = usable.map((it) => ({ top: Math.round(it.getBoundingClientRect().top), name: (it.getAttribute('aria-label') ?? it.innerText).slice(0, 40) }));
    return tops.toSorted((a, b) => a.top - b.top)[0] ?? { top: Number.POSITIVE_INFINITY, name: 'nothing' };
  });

/** Loads a sample of the development chain into the drop zone, by its title. */
export async function useSample(page: Page, title: string): Promise<void> {
  await pressSample(page, title);
  await stepHeading(page).waitFor();
}

/** Presses the button of a sample, which is folded away. */
export async function pressSample(page: Page, title: string): Promise<void> {
  const button = page.getByRole('button', { name: `Use This Sample: ${title}` });
  await page.getByText('Samples of the development chain').waitFor();
  if (!(await button.isVisible())) await page.getByText('Samples of the development chain').click();
  await button.click();
}

/** Chooses a file as the file dialog would. */
export async function chooseFile(page: Page, name: string, buffer: Buffer): Promise<void> {
  await fileInput(page).setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
}

/** Drops a file on the drop zone, as from the desktop: with these bytes, or with this many zeros, which the page makes itself. */
export async function dropFile(page: Page, name: string, content: Buffer | number): Promise<void> {
  const transfer = await page.evaluateHandle(
    ({ fileName, base64 }) => {
      const bytes = typeof base64 === 'number' ? new Uint8Array(base64) : Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], fileName));
      return data;
    },
    { fileName: name, base64: typeof content === 'number' ? content : content.toString('base64') },
  );
  await page.locator('label', { has: fileInput(page) }).dispatchEvent('drop', { dataTransfer: transfer });
}
