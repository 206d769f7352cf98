import type { APIRequestContext, Page } from '@playwright/test'
import sharp from 'sharp'
import { makeImage } from '../lib/testing/images'
import { expect, expectAccessible, test } from './fixtures'

// Snapshots would fetch the blob: previews, which our pages' policy forbids scripts to do.
test.use({ trace: { mode: 'retain-on-failure', snapshots: false } })

const picture = async (width: number, height: number, name = 'boot.png') => ({
  name,
  mimeType: 'image/png',
  buffer: await makeImage('png', { width, height }),
})

/** An image of red above blue, 400 × 200, uploaded through the API. */
async function seed(api: APIRequestContext, namespace: string) {
  const multipart = { namespace, assetId: 'boot', file: await picture(400, 200) }
  const response = await api.post('/api/images/upload', { multipart })
  expect(response.status()).toBe(201)
  return (await response.json()).data[0]
}

const held = async (api: APIRequestContext, fileId: string) =>
  (await (await api.get(`/api/images/${fileId}`)).json()).data[0]

async function openEditor(page: Page, fileId: string) {
  await page.goto(`/images?image=${fileId}`)
  await page.getByRole('button', { name: 'Edit crop and focal point' }).click()
  return page.getByRole('dialog', { name: 'Crop and focal point' })
}

test('an image is cropped and focused by keyboard and numbers, undone, and reset', async ({
  admin,
  api,
}) => {
  const { fileId, secureUri } = await seed(api, 'crop-keys')
  const editor = await openEditor(admin, fileId)
  const crop = editor.getByRole('button', { name: 'Crop of boot' })
  await expect(crop).toBeFocused()
  await expectAccessible(admin)
  await admin.keyboard.press('Shift+ArrowUp')
  for (let step = 0; step < 9; step++) await admin.keyboard.press('Shift+ArrowLeft')
  await expect(editor.getByLabel('Width')).toHaveValue('364')
  for (let step = 0; step < 3; step++) await admin.keyboard.press('ArrowRight')
  await expect(editor.getByLabel('Left', { exact: true })).toHaveValue('12')
  await editor.getByLabel('Height').fill('100')
  await editor.getByLabel('Top', { exact: true }).fill('100')
  await editor.getByRole('button', { name: 'Focal point of boot' }).focus()
  await admin.keyboard.press('ArrowDown')
  await editor.getByLabel('From the left').fill('80')
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect(editor).toBeHidden()

  const saved = await held(api, fileId)
  expect(saved.crop).toEqual({ x: 0.03, y: 0.5, width: 0.91, height: 0.5 })
  expect(saved.focalPoint.x).toBe(0.8)
  const panel = admin.getByRole('dialog')
  await expect(
    panel.getByText('364 × 100 pixels, 12 from the left, 100 from the top'),
  ).toBeVisible()
  const shown = panel.getByRole('img', { name: 'boot' })
  await expect(shown).toHaveJSProperty('naturalWidth', 364)
  const form = await api.get(`${new URL(secureUri).pathname}?w=64&aspect=1:1`)
  const { data, info } = await sharp(await form.body())
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect([info.width, info.height]).toEqual([64, 64])
  expect(data[2]).toBeGreaterThan(data[0] ?? 255)
  const original = await api.get(new URL(secureUri).pathname)
  expect((await sharp(await original.body()).metadata()).height).toBe(200)

  await admin.getByRole('button', { name: 'Undo' }).click()
  await expect(admin.getByText('are what they were before')).toBeVisible()
  expect(await held(api, fileId)).toMatchObject({ crop: null, focalPoint: null })
  await expect(shown).toHaveJSProperty('naturalWidth', 400)

  await admin.getByRole('button', { name: 'Edit crop and focal point' }).click()
  await editor.getByRole('button', { name: '1:1' }).click()
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect(editor).toBeHidden()
  expect((await held(api, fileId)).crop).toEqual({ x: 0.25, y: 0, width: 0.5, height: 1 })
  await admin.getByRole('button', { name: 'Edit crop and focal point' }).click()
  await editor.getByRole('button', { name: 'Reset' }).click()
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect(editor).toBeHidden()
  expect(await held(api, fileId)).toMatchObject({ crop: null, focalPoint: null })
})

test('a crop is drawn with a pointer on a telephone, and kept from being lost', async ({
  admin,
  api,
}) => {
  await admin.setViewportSize({ width: 390, height: 844 })
  const { fileId } = await seed(api, 'crop-pointer')
  const editor = await openEditor(admin, fileId)
  const crop = editor.getByRole('button', { name: 'Crop of boot' })
  const box = async () => (await crop.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  const drag = async (from: [number, number], to: [number, number]) => {
    const { x, y, width, height } = await box()
    await admin.mouse.move(x + from[0] * width, y + from[1] * height)
    await admin.mouse.down()
    await admin.mouse.move(x + to[0] * width, y + to[1] * height, { steps: 4 })
    await admin.mouse.up()
  }
  await drag([1, 1], [0.5, 0.5])
  // A pixel of the screen is more than one of the image.
  await expect(editor.getByLabel('Width')).toHaveValue(/^(19[7-9]|20[0-3])$/)
  await expect(editor.getByLabel('Height')).toHaveValue(/^(9[7-9]|10[0-3])$/)
  await drag([0.25, 0.25], [2, 2])
  await expect(editor.getByLabel('Left', { exact: true })).toHaveValue(/^(19[7-9]|20[0-3])$/)
  await expectAccessible(admin)
  const overflow = await admin.evaluate(
    () => document.documentElement.scrollWidth - window.innerWidth,
  )
  expect(overflow).toBeLessThanOrEqual(0)
  await editor.getByRole('button', { name: 'Cancel' }).click()
  const question = admin.getByRole('alertdialog')
  await expect(question.getByText('Crop and focal point of boot are not saved yet.')).toBeVisible()
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect(editor).toBeHidden()
  const { x, y, width, height } = (await held(api, fileId)).crop
  expect([x + width, y + height]).toEqual([expect.closeTo(1), expect.closeTo(1)])
  expect([width, height]).toEqual([expect.closeTo(0.5, 1), expect.closeTo(0.5, 1)])
})

test('an upload asks before it replaces an image', async ({ admin, api }) => {
  const before = await seed(api, 'crop-asks')
  await admin.goto('/images?upload=true')
  const panel = admin.getByRole('dialog', { name: 'Upload images' })
  await panel.getByLabel('Add files').setInputFiles([await picture(90, 60)])
  await panel.getByRole('combobox', { name: 'Folder' }).fill('crop-asks')
  await panel.getByRole('button', { name: 'More: tags, context and asset IDs' }).click()
  await panel.getByRole('button', { name: 'Use file names as IDs' }).click()
  await panel.getByRole('button', { name: 'Upload 1 image' }).click()
  await expect(panel.getByText('“crop-asks/boot” exists already')).toBeVisible()
  expect(await held(api, before.fileId)).toEqual(before)
  await expectAccessible(admin)
  await panel.getByRole('button', { name: 'Replace it with boot.png' }).click()
  await expect(panel.getByRole('button', { name: 'crop-asks/boot' })).toBeVisible()
  expect(await held(api, before.fileId)).toMatchObject({ width: 90 })
  const old = await api.get(new URL(before.secureUri).pathname)
  expect((await sharp(await old.body()).metadata()).width).toBe(90)
})
