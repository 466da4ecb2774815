import type { Page } from 'playwright-core';

/** The drop zone's file input. */
export const fileInput = (page: Page) => page.getByLabel('PSBT file');
export const verifyButton = (page: Page) => page.getByRole('button', { name: 'Verify PSBT' });

export async function openUpload(page: Page): Promise<void> {
  // A file that was chosen before would be there again.
  if (page.url().startsWith('http')) await page.evaluate(() => sessionStorage.removeItem('chosen-file'));
  await page.goto('/upload');
  await page.getByRole('heading', { name: 'Upload PSBT Verification' }).waitFor();
}

/** Loads a sample of the development chain into the drop zone, by its title. */
export async function useSample(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: `Use This Sample: ${title}` }).click();
  await page.getByRole('heading', { name: 'What this file contains' }).waitFor();
}

/** Chooses a file as the file dialog would. */
export async function chooseFile(page: Page, name: string, buffer: Buffer): Promise<void> {
  await fileInput(page).setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
}

/** Drops a file on the drop zone, as from the desktop. */
export async function dropFile(page: Page, name: string, buffer: Buffer): Promise<void> {
  const transfer = await page.evaluateHandle(
    ({ fileName, base64 }) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], fileName));
      return data;
    },
    { fileName: name, base64: buffer.toString('base64') },
  );
  await page.locator('label', { has: fileInput(page) }).dispatchEvent('drop', { dataTransfer: transfer });
}

/** Sends a sample and waits for a success. */
export async function proveSample(page: Page, title: string): Promise<void> {
  await openUpload(page);
  await useSample(page, title);
  await sendFile(page);
}

/** Sends a sample so that everybody can check it. */
export async function publishSample(page: Page, title: string): Promise<void> {
  await openUpload(page);
  await useSample(page, title);
  await page.getByRole('checkbox', { name: /^Publish this proof/ }).check();
  await sendFile(page);
}

async function sendFile(page: Page): Promise<void> {
  await verifyButton(page).click();
  await page.getByText('Verification Successful!').waitFor();
}
