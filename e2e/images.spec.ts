import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures'
import { imagesOf, inFolder, png, type Sent, seed, tiles } from './gallery'

// Snapshots would fetch the blob: previews, which our pages' policy forbids scripts to do.
test.use({ trace: { mode: 'retain-on-failure', snapshots: false } })

/** As if the files were dropped onto the page, or pasted into it. */
async function give(page: Page, type: 'drop' | 'paste', files: Sent[]) {
  const input = files.map(({ name, mimeType, buffer }) => ({
    ...{ name, mimeType, base64: buffer.toString('base64') },
  }))
  await page.evaluate(
    ({ type, input }) => {
      const data = new DataTransfer()
      for (const { name, mimeType, base64 } of input) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
        data.items.add(new File([bytes], name, { type: mimeType }))
      }
      const about = { bubbles: true, cancelable: true }
      const event =
        type === 'drop'
          ? new DragEvent('drop', { ...about, dataTransfer: data })
          : new ClipboardEvent('paste', { ...about, clipboardData: data })
      document.body.dispatchEvent(event)
    },
    { type, input },
  )
}

test('images are dropped, pasted and chosen, described, sent, and retried where they fail', async ({
  admin,
  api,
}) => {
  await admin.goto('/images')
  await give(admin, 'drop', [await png('one.png'), await png('two.png', 60)])
  const panel = admin.getByRole('dialog', { name: 'Upload images' })
  await expect(panel.getByText('one.png')).toBeVisible()
  await give(admin, 'paste', [await png('pasted.png', 50)])
  const notes = { name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('no picture') }
  await panel.getByLabel('Add files').setInputFiles([notes])
  await expect(panel.getByText('notes.png')).toBeVisible()

  await panel.getByRole('combobox', { name: 'Folder' }).fill('journey/up')
  await expect(panel.getByLabel('Asset ID of two.png')).toHaveCount(0)
  await panel.getByRole('button', { name: 'More: tags, context and asset IDs' }).click()
  await panel.getByLabel('Tags').fill('red, new,')
  await panel.getByRole('button', { name: 'Add a key' }).click()
  await panel.getByLabel('Key 1', { exact: true }).fill('alt')
  await panel.getByLabel('Value 1').fill('Two halves')
  await panel.getByRole('button', { name: 'Use file names as IDs' }).click()
  await panel.getByLabel('Asset ID of two.png').fill('one')
  await expect(panel.getByRole('button', { name: 'Upload 4 images' })).toBeDisabled()
  await panel.getByLabel('Asset ID of two.png').fill('second')
  await expectAccessible(admin)

  let broken = 0
  await admin.route('**/api/images/upload', async (route) => {
    const isSecond = route.request().postDataBuffer()?.includes('filename="two.png"')
    const json = { error: 'Too many requests at once' }
    if (isSecond && broken++ === 0) await route.fulfill({ status: 429, json })
    else await route.continue()
  })
  await panel.getByRole('button', { name: 'Upload 4 images' }).click()
  await expect(panel.getByText('Too many requests at once')).toBeVisible()
  await expect(panel.getByText('the file is none of these')).toBeVisible()
  await expect(panel.getByRole('button', { name: 'Retry 2 failed images' })).toBeVisible()
  const namesIn = async (folder: string) =>
    (await imagesOf(api, folder)).map(({ name }: { name: string }) => name)
  await expect.poll(() => namesIn('journey/up')).toEqual(['one', 'pasted'])

  await panel.getByRole('button', { name: 'Retry two.png' }).click()
  await expect(panel.getByText('journey/up/second')).toBeVisible()
  await expectAccessible(admin)
  await panel.getByRole('button', { name: 'Remove notes.png from the list' }).click()
  await panel.getByRole('button', { name: 'Done' }).click()
  await expect(tiles(admin, { name: /^second,/ })).toBeVisible()

  const held = await imagesOf(api, 'journey/up')
  const labels = { tags: ['red', 'new'], context: { alt: 'Two halves' } }
  expect(held).toMatchObject([
    { publicId: 'journey/up/one', width: 40, ...labels },
    { publicId: 'journey/up/pasted', width: 50, ...labels },
    { publicId: 'journey/up/second', width: 60, ...labels },
  ])
})

test('an image is opened, copied, described again, replaced and deleted', async ({
  admin,
  api,
}) => {
  await seed(api, 'journey-detail', 2)
  const [before] = await imagesOf(api, 'journey-detail')
  await admin.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await admin.goto(inFolder('journey-detail'))
  await tiles(admin, { name: /^picture-0,/ }).focus()
  await admin.keyboard.press('Enter')
  const panel = admin.getByRole('dialog')
  await expect(panel.getByText('40 × 30 pixels')).toBeVisible()
  await expect(admin).toHaveURL(new RegExp(`image=${before.fileId}`))
  await expect(panel.getByRole('img', { name: 'picture-0' })).toHaveJSProperty('naturalWidth', 40)
  await admin.keyboard.press('ArrowRight')
  await expect(panel.getByText('41 × 30 pixels')).toBeVisible()
  await admin.keyboard.press('ArrowLeft')
  await expect(panel.getByText('40 × 30 pixels')).toBeVisible()
  await expectAccessible(admin)

  await panel.getByRole('button', { name: 'Copy the address', exact: true }).click()
  await expect.poll(() => admin.evaluate(() => navigator.clipboard.readText())).toBe(before.uri)

  await panel.getByRole('button', { name: 'Remove even' }).click()
  await panel.getByLabel('Tags', { exact: true }).fill('best')
  await panel.getByRole('button', { name: 'Add a key' }).click()
  await panel.getByLabel('Key 1', { exact: true }).fill('caption')
  await panel.getByLabel('Value 1').fill('As seen')
  await panel.getByRole('button', { name: 'Save tags and context' }).click()
  await expect(admin.getByText('Tags and context are saved')).toBeVisible()
  const labels = { tags: ['best'], context: { caption: 'As seen' } }
  expect((await imagesOf(api, 'journey-detail'))[0]).toMatchObject(labels)

  await panel.getByLabel('Replacement').setInputFiles([await png('other.png', 70, 20)])
  const offer = admin.getByRole('alertdialog', { name: 'Replace “picture-0”?' })
  await offer.getByRole('button', { name: 'Cancel' }).click()
  expect((await imagesOf(api, 'journey-detail'))[0]).toMatchObject({ width: 40 })
  await panel.getByLabel('Replacement').setInputFiles([await png('other.png', 70, 20)])
  await expect(offer.getByText('other.png')).toBeVisible()
  await expectAccessible(admin)
  await offer.getByRole('button', { name: 'Replace image' }).click()
  await expect(panel.getByText('70 × 20 pixels')).toBeVisible()
  const [after] = await imagesOf(api, 'journey-detail')
  expect(after).toMatchObject({ fileId: before.fileId, name: 'picture-0', width: 70, ...labels })
  expect(after.secureUri).not.toBe(before.secureUri)
  const old = await api.get(new URL(before.secureUri).pathname)
  expect((await old.body()).length).toBe(after.bytes)

  await panel.getByRole('button', { name: 'Delete', exact: true }).click()
  const question = admin.getByRole('alertdialog', { name: 'Delete “picture-0”?' })
  await question.getByRole('button', { name: 'Delete image' }).click()
  await expect(admin.getByText('1 image deleted')).toBeVisible()
  await expect(tiles(admin)).toHaveCount(1)
  expect((await api.get(`/api/images/${before.fileId}`)).status()).toBe(404)
})

test('stepping through images leaves one part of each kind, and its buttons work', async ({
  admin,
  api,
}) => {
  await seed(api, 'journey-steps', 3)
  await admin.goto(inFolder('journey-steps'))
  await tiles(admin, { name: /^picture-0,/ }).focus()
  await admin.keyboard.press('Enter')
  const panel = admin.getByRole('dialog').first()
  for (const width of [41, 42]) {
    await panel.getByRole('button', { name: 'Next image' }).click()
    await expect(panel.getByText(`${width} × 30 pixels`)).toBeVisible()
  }
  const parts = await panel
    .getByRole('region')
    .evaluateAll((all) =>
      all.map((part) => part.getAttribute('aria-label') ?? part.getAttribute('aria-labelledby')),
    )
  expect(parts).toContain('Crop and focal point')
  expect(parts).toEqual([...new Set(parts)])
  await panel.getByRole('button', { name: 'Edit crop and focal point' }).click()
  await expect(admin.getByRole('dialog', { name: 'Crop and focal point' })).toBeVisible()
})

test('a range chosen with the keyboard is deleted, and nothing else', async ({ admin, api }) => {
  await seed(api, 'journey-range', 6)
  await admin.goto(inFolder('journey-range'))
  await expect(tiles(admin)).toHaveCount(6)
  await tiles(admin).first().focus()
  await admin.keyboard.press('ArrowRight')
  for (let step = 0; step < 3; step++) await admin.keyboard.press('Shift+ArrowRight')
  await admin.keyboard.press('Shift+ArrowLeft')
  await expect(tiles(admin, { selected: true })).toHaveCount(3)
  await expect(admin.getByText('3 selected')).toBeVisible()
  await expectAccessible(admin)
  await admin.keyboard.press('Delete')
  const question = admin.getByRole('alertdialog', { name: 'Delete 3 images?' })
  await question.getByRole('button', { name: 'Delete 3' }).click()
  await expect(admin.getByText('3 images deleted')).toBeVisible()
  await expect(tiles(admin)).toHaveCount(3)
  const left = await imagesOf(api, 'journey-range')
  expect(left.map(({ name }: { name: string }) => name)).toEqual([
    ...['picture-0', 'picture-4', 'picture-5'],
  ])

  await admin
    .getByRole('option')
    .nth(0)
    .click({ modifiers: ['ControlOrMeta'] })
  await admin
    .getByRole('option')
    .nth(2)
    .click({ modifiers: ['Shift'] })
  await expect(admin.getByText('3 selected')).toBeVisible()
  await admin.keyboard.press('Escape')
  await expect(admin.getByText('3 selected')).toBeHidden()
})

test('images are filtered, searched and listed by the address', async ({ admin, api }) => {
  await seed(api, 'journey-find', 4)
  await admin.goto('/images')
  await admin.getByRole('button', { name: 'Folder', exact: true }).click()
  await admin.getByPlaceholder('Find a folder').fill('journey-find')
  await admin.keyboard.press('Enter')
  await expect(tiles(admin)).toHaveCount(4)
  await admin.getByRole('button', { name: 'Tag', exact: true }).click()
  await admin.getByRole('option', { name: /^odd/ }).click()
  await expect(admin.getByText('1–2 of 2')).toBeVisible()
  await admin.getByRole('searchbox', { name: 'Search by name or public ID' }).fill('PICTURE-3')
  await expect(admin.getByText('1–1 of 1')).toBeVisible()
  await admin.getByRole('button', { name: 'Show as list' }).click()
  const rows = admin.getByRole('table', { name: 'Images' }).getByRole('row')
  await expect(rows).toHaveCount(2)
  await admin.reload()
  await expect(rows.nth(1)).toContainText('picture-3')
  await expectAccessible(admin)
  await admin.getByRole('searchbox').fill('nothing of the kind')
  await expect(admin.getByText('Nothing matches')).toBeVisible()
})

test('on a telephone nothing is cut off and nothing moves', async ({ admin, api }) => {
  await seed(api, 'journey-narrow', 5)
  await admin.setViewportSize({ width: 390, height: 844 })
  await admin.addInitScript(() => {
    const page = window as unknown as { shift: number }
    page.shift = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        page.shift += (entry as unknown as { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await admin.goto(inFolder('journey-narrow'))
  const first = tiles(admin).first()
  await expect(first.locator('img')).toHaveJSProperty('complete', true)
  await expectAccessible(admin)
  const { shift, overflow } = await admin.evaluate(() => ({
    shift: (window as unknown as { shift: number }).shift,
    overflow: document.documentElement.scrollWidth - window.innerWidth,
  }))
  expect(overflow).toBeLessThanOrEqual(0)
  expect(shift).toBeLessThan(0.05)
  await first.click()
  await expect(admin.getByRole('dialog').getByText('40 × 30 pixels')).toBeVisible()
  await expectAccessible(admin)
})
