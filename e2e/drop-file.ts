import { expect, type Page } from '@playwright/test'

/** Drops a file of text onto the page, as a user does from the desktop. */
export async function dropFile(page: Page, name: string, text: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    (input) => {
      const data = new DataTransfer()
      data.items.add(new File([input.text], input.name))
      return data
    },
    { name, text },
  )
  // The page listens once its scripts have come.
  await expect(async () => {
    await page.dispatchEvent('main', 'dragenter', { dataTransfer })
    await expect(page.getByText(/Drop a file to /)).toBeVisible({ timeout: 500 })
  }).toPass()
  await page.dispatchEvent('main', 'drop', { dataTransfer })
  await expect(page.getByText(/Drop a file to /)).toBeHidden()
}
