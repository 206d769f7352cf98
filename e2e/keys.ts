import type { Locator, Page } from '@playwright/test'
import { expect } from './fixtures'

const isFocused = (element: Element) => element === element.ownerDocument.activeElement

/** Presses Tab until `target` has the focus; `limit` presses are too many for anybody. */
export async function tabTo(target: Locator, key = 'Tab', limit = 40): Promise<void> {
  await expect(target).toBeVisible()
  for (let step = 0; step < limit && !(await target.evaluate(isFocused)); step++)
    await target.page().keyboard.press(key)
  await expect(target).toBeFocused()
}

/** Opens a list of choices and takes one of them, by arrows. */
export async function choose(control: Locator, option: string): Promise<void> {
  const page = control.page()
  await tabTo(control)
  await page.keyboard.press('Enter')
  const wanted = page.getByRole('listbox').getByRole('option', { name: option, exact: true })
  await expect(wanted).toBeVisible()
  // A list that has just opened may put its highlight elsewhere after the first key.
  await expect(async () => {
    await page.keyboard.press('Home')
    const first = page.getByRole('listbox').getByRole('option').first()
    await expect(first).toHaveAttribute('data-highlighted', '', { timeout: 1_000 })
  }).toPass()
  const isReached = () => wanted.evaluate((element) => element.hasAttribute('data-highlighted'))
  const highlighted = page.getByRole('listbox').locator('[data-highlighted]')
  for (let step = 0; step < 20 && !(await isReached()); step++) {
    const before = (await highlighted.textContent()) ?? ''
    await page.keyboard.press('ArrowDown')
    // The highlight follows a key a moment later.
    await expect(highlighted).not.toHaveText(before)
  }
  await expect(wanted).toHaveAttribute('data-highlighted')
  await page.keyboard.press('Enter')
  await expect(wanted).toBeHidden()
  await expect(control).toBeFocused()
}

/** Replaces what stands in a field. */
export async function type(field: Locator, text: string): Promise<void> {
  await tabTo(field)
  await field.page().keyboard.press('ControlOrMeta+a')
  await field.page().keyboard.type(text)
}

/** Past the header and the sidebar. */
export async function skipToContent(page: Page): Promise<void> {
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.locator('#content')).toBeFocused()
}

/** Types into the palette and takes what it highlights, once that is `option`. */
export async function runInPalette(page: Page, text: string, option: RegExp): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  const palette = page.getByRole('dialog', { name: 'Search and commands' })
  await expect(palette.getByRole('combobox')).toBeFocused()
  await page.keyboard.type(text)
  const wanted = palette.getByRole('option', { name: option }).first()
  await expect(wanted).toBeVisible()
  for (let step = 0; step < 20; step++) {
    if ((await wanted.getAttribute('aria-selected')) === 'true') break
    await page.keyboard.press('ArrowDown')
  }
  await expect(wanted).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(palette).toBeHidden()
}
