import type { APIRequestContext, Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures'
import { imagesOf, inFolder, seed, tiles } from './gallery'
import { signedIn } from './signed-in'

type Labels = { tags: string[]; context: Record<string, string> }

const labelsOf = async (api: APIRequestContext, folder: string): Promise<Labels[]> =>
  (await imagesOf(api, folder)).map(({ tags, context }: Labels) => ({ tags, context }))

const dialogOf = (page: Page) => page.getByRole('dialog', { name: /^Edit labels of / })

test('labels of the selected images are changed by the keyboard, after the server has counted', async ({
  admin,
  api,
}) => {
  await seed(api, 'labels-some', 4)
  await admin.goto(inFolder('labels-some'))
  await tiles(admin).first().focus()
  await admin.keyboard.press('Space')
  await admin.keyboard.press('Shift+ArrowRight')
  await admin.keyboard.press('Shift+ArrowRight')
  await admin.getByRole('button', { name: 'Edit labels' }).press('Enter')
  const dialog = dialogOf(admin)
  await expect(dialog.getByRole('heading', { name: 'Edit labels of 3 images' })).toBeVisible()
  await expect(dialog.getByLabel('Add tags')).toBeFocused()
  await admin.keyboard.type('sale,')
  await admin.keyboard.press('Tab')
  await expect(dialog.getByLabel('Remove tags')).toBeFocused()
  await admin.keyboard.type('even,')
  await expect(dialog.getByRole('status')).toHaveText('Of 3 images, 3 change.')
  await dialog.getByRole('button', { name: 'Add a key' }).press('Enter')
  await admin.keyboard.type('credit')
  await admin.keyboard.press('Tab')
  await admin.keyboard.type('Studio')
  await expectAccessible(admin)
  const before = await labelsOf(api, 'labels-some')
  expect(before.every(({ tags }) => !tags.includes('sale'))).toBe(true)
  const submit = dialog.getByRole('button', { name: 'Edit 3 images' })
  await expect(submit).toBeEnabled()
  await submit.press('Enter')
  await expect(admin.getByText('Labels of 3 images are changed')).toBeVisible()
  await expect(dialog).toBeHidden()
  const context = { credit: 'Studio' }
  expect(await labelsOf(api, 'labels-some')).toEqual([
    { tags: ['sale'], context },
    { tags: ['odd', 'sale'], context },
    { tags: ['sale'], context },
    { tags: ['odd'], context: {} },
  ])
})

test('labels of all images that match are changed, those of other pages too', async ({
  admin,
  api,
}) => {
  await seed(api, 'labels-all', 27)
  await admin.goto(inFolder('labels-all', '&size=25'))
  await tiles(admin).first().focus()
  await admin.keyboard.press('ControlOrMeta+a')
  await admin.getByRole('button', { name: 'Select all 27 matching' }).click()
  await expect(admin.getByText('27 selected, on every page')).toBeVisible()
  await expect(admin.getByRole('button', { name: 'Delete' })).toBeHidden()
  await admin.getByRole('button', { name: 'Edit labels' }).click()
  const dialog = dialogOf(admin)
  await expect(dialog).toContainText('Folder is labels-all')
  await dialog.getByLabel('Add tags').fill('odd')
  await dialog.getByLabel('Add tags').press('Enter')
  await expect(dialog.getByRole('status')).toHaveText(
    'Of 27 images, 14 change; 13 have these labels already.',
  )
  await dialog.getByRole('button', { name: 'Edit 27 images' }).click()
  await expect(admin.getByText('Labels of 14 images are changed')).toBeVisible()
  await expect(admin.getByRole('button', { name: 'Clear the selection' })).toBeHidden()
  const held = await labelsOf(api, 'labels-all')
  expect(held.filter(({ tags }) => tags.includes('odd'))).toHaveLength(27)
})

test('what the server refuses is said at its field, and what has changed since is not overwritten', async ({
  admin,
  api,
}) => {
  await seed(api, 'labels-refused', 3)
  await admin.goto(inFolder('labels-refused', '&size=25'))
  await tiles(admin).first().focus()
  await admin.keyboard.press('ControlOrMeta+a')
  await admin.getByRole('button', { name: 'Edit labels' }).click()
  const dialog = dialogOf(admin)
  await dialog.getByLabel('Add tags').fill('x'.repeat(256))
  await dialog.getByLabel('Add tags').press('Enter')
  await expect(dialog.getByText('A tag has at most 255 characters')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Edit 3 images' })).toBeDisabled()
  await dialog.getByRole('button', { name: /^Remove x/ }).click()
  await dialog.getByLabel('Add tags').fill('a,')
  await dialog.getByLabel('Remove tags').fill('a,')
  await expect(dialog.getByText('“a” is also added')).toBeVisible()
  await expectAccessible(admin)
  await dialog.getByRole('button', { name: 'Remove a' }).nth(1).click()
  await expect(dialog.getByRole('status')).toHaveText('Of 3 images, 3 change.')
  const [removed] = await imagesOf(api, 'labels-refused')
  expect((await api.delete(`/api/images/${removed.fileId}`)).status()).toBe(200)
  await dialog.getByRole('button', { name: 'Edit 3 images' }).click()
  await expect(
    dialog.getByText(/^There is no image .*; nothing was changed$/).first(),
  ).toBeVisible()
  const held = await labelsOf(api, 'labels-refused')
  expect(held.map(({ tags }) => tags)).toEqual([['odd'], ['even']])
})

test('who may not change labels is not offered it', async ({ api, browser }) => {
  await seed(api, 'labels-viewer', 2)
  const { page: viewer } = await signedIn(browser, api, ['VIEWER'])
  await viewer.goto(inFolder('labels-viewer'))
  await tiles(viewer).first().focus()
  await viewer.keyboard.press('Space')
  await expect(viewer.getByText('1 selected')).toBeVisible()
  await expect(viewer.getByRole('button', { name: 'Edit labels' })).toBeHidden()
  await viewer.context().close()
})
