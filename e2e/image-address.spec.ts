import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures'
import { imagesOf, inFolder, png, seed, tiles } from './gallery'

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Upload from an address' })

const pasteText = (page: Page, text: string) =>
  page.evaluate((input) => {
    const data = new DataTransfer()
    data.setData('text/plain', input)
    const about = { bubbles: true, cancelable: true, clipboardData: data }
    document.body.dispatchEvent(new ClipboardEvent('paste', about))
  }, text)

test('what the server refuses to load is said at its field', async ({ admin }) => {
  await admin.goto('/images')
  await admin.getByRole('button', { name: 'From an address' }).press('Enter')
  const dialog = dialogOf(admin)
  const url = dialog.getByLabel('Address of the image')
  await expect(url).toBeFocused()
  await expect(dialog.getByRole('button', { name: 'Upload', exact: true })).toBeDisabled()
  await url.fill('http://10.0.0.1/boot.png')
  await url.press('Enter')
  await expect(dialog.getByText('Is not on the public internet')).toBeVisible()
  await expect(url).toBeFocused()
  await expectAccessible(admin)
  await url.fill('https://example.com/boot.png')
  await expect(dialog.getByText('Is not on the public internet')).toBeHidden()
  await dialog.getByLabel('Folder').fill('../up')
  await dialog.getByLabel('Folder').press('Enter')
  await expect(dialog.getByLabel('Folder')).toHaveAttribute('aria-invalid', 'true')
  await expect(dialog.getByLabel('Folder')).toBeFocused()
})

test('an address that is pasted becomes an image of the folder that is shown', async ({
  admin,
  api,
}) => {
  await seed(api, 'address', 1)
  // The server loads nothing from this machine: what it would load is uploaded in its place.
  const asked: Record<string, string>[] = []
  await admin.route('**/api/images/upload-from-address', async (route) => {
    const { url, ...fields } = route.request().postDataJSON()
    asked.push({ url, ...fields })
    const multipart = { ...fields, file: await png('boot.png', 77) }
    const response = await api.post('/api/images/upload', { multipart })
    await route.fulfill({ status: response.status(), json: await response.json() })
  })
  await admin.goto(inFolder('address'))
  await expect(tiles(admin)).toHaveCount(1)
  await pasteText(admin, 'no address')
  await expect(dialogOf(admin)).toBeHidden()
  await pasteText(admin, ' https://example.com/boot.png ')
  const dialog = dialogOf(admin)
  await expect(dialog.getByLabel('Address of the image')).toHaveValue(
    'https://example.com/boot.png',
  )
  await expect(dialog.getByLabel('Folder')).toHaveValue('address')
  await dialog.getByLabel('Asset ID').fill('boot')
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(admin.getByText('“boot” is uploaded')).toBeVisible()
  await expect(admin.getByRole('dialog').getByText('77 × 30 pixels')).toBeVisible()
  expect(asked).toEqual([
    {
      ...{ url: 'https://example.com/boot.png', namespace: 'address', assetId: 'boot' },
      ifExists: 'refuse',
    },
  ])
  const held = await imagesOf(api, 'address')
  expect(held).toMatchObject([{ publicId: 'address/boot' }, { publicId: 'address/picture-0' }])

  await admin.keyboard.press('Escape')
  await pasteText(admin, 'https://example.com/boot.png')
  await dialog.getByLabel('Asset ID').fill('picture-0')
  await dialog.getByLabel('Asset ID').press('Enter')
  await expect(dialog.getByRole('alert')).toContainText('The folder has an image of this name.')
  await expectAccessible(admin)
  const named = (await imagesOf(api, 'address'))[1]
  expect(named).toMatchObject({ name: 'picture-0', width: 40 })
  await dialog.getByRole('button', { name: 'Replace it' }).click()
  await expect(admin.getByText('“picture-0” is uploaded')).toBeVisible()
  const { fileId } = named
  expect((await imagesOf(api, 'address'))[1]).toMatchObject({ fileId, width: 77 })
})
