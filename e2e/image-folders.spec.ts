import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures'
import { imagesOf, png, seed, tiles } from './gallery'

const openTree = async (page: Page) => {
  await page.getByRole('button', { name: /^Folder(:|$)/ }).press('Enter')
  await expect(page.getByLabel('Find a folder')).toBeFocused()
  return page.getByRole('tree', { name: 'Folders' })
}

test('folders are a tree that the keyboard walks; one stands for all below it', async ({
  admin,
  api,
}) => {
  await seed(api, 'tree', 1)
  await seed(api, 'tree/shoes', 2)
  await seed(api, 'tree/shoes/red', 1)
  await seed(api, 'trees', 1)
  await admin.goto('/images')
  const tree = await openTree(admin)
  const item = (name: string) => tree.getByRole('treeitem', { name, exact: true })
  await expect(item('tree, 4')).toHaveAttribute('aria-expanded', 'false')
  await expect(item('shoes, 3')).toBeHidden()
  await expectAccessible(admin)
  await admin.keyboard.press('ArrowDown')
  while (!(await item('tree, 4').evaluate((found) => found === document.activeElement)))
    await admin.keyboard.press('ArrowDown')
  await admin.keyboard.press('ArrowRight')
  await expect(item('tree, 4')).toHaveAttribute('aria-expanded', 'true')
  await admin.keyboard.press('ArrowRight')
  await expect(item('shoes, 3')).toBeFocused()
  await expect(item('shoes, 3')).toHaveAttribute('aria-level', '2')
  await admin.keyboard.press('ArrowRight')
  await admin.keyboard.press('ArrowDown')
  await expect(item('red, 1')).toBeFocused()
  await admin.keyboard.press('ArrowLeft')
  await expect(item('shoes, 3')).toBeFocused()
  await admin.keyboard.press('Enter')
  await expect(tiles(admin)).toHaveCount(3)
  await expect(admin.getByRole('list', { name: 'Conditions' })).toContainText(
    'Folder is tree/shoes or below it',
  )
  await expect(admin.getByRole('button', { name: 'Folder: tree/shoes' })).toBeVisible()

  await openTree(admin)
  await expect(item('shoes, 3')).toHaveAttribute('aria-selected', 'true')
  await admin.keyboard.type('TREE')
  await expect(tree.getByRole('treeitem')).toHaveCount(4)
  await admin.keyboard.press('Enter')
  await expect(tiles(admin)).toHaveCount(4)
  await openTree(admin)
  await admin.getByRole('button', { name: 'Any folder' }).click()
  await expect(admin.getByRole('button', { name: 'Folder', exact: true })).toBeVisible()
})

test('what is dropped lands in the folder that is shown, which the target names', async ({
  admin,
  api,
}) => {
  await seed(api, 'drop/here', 1)
  await admin.goto('/images')
  await openTree(admin)
  await admin.keyboard.type('drop/here')
  await admin.keyboard.press('Enter')
  await expect(tiles(admin)).toHaveCount(1)
  const { name, mimeType, buffer } = await png('dropped.png')
  const dataTransfer = await admin.evaluateHandle(
    ({ name, mimeType, base64 }) => {
      const data = new DataTransfer()
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      data.items.add(new File([bytes], name, { type: mimeType }))
      return data
    },
    { name, mimeType, base64: buffer.toString('base64') },
  )
  await admin.dispatchEvent('main', 'dragenter', { dataTransfer })
  await expect(admin.getByText('Drop to upload into drop/here')).toBeVisible()
  await admin.dispatchEvent('main', 'drop', { dataTransfer })
  const panel = admin.getByRole('dialog', { name: 'Upload images' })
  await expect(panel.getByRole('combobox', { name: 'Folder' })).toHaveValue('drop/here')
  await panel.getByRole('button', { name: 'Upload 1 image' }).click()
  await expect.poll(async () => (await imagesOf(api, 'drop/here')).length).toBe(2)
})

test('on a telephone the tree fits', async ({ admin, api }) => {
  await seed(api, 'narrow/a-rather-long-name-of-a-folder/and-another-one-below-it', 1)
  await admin.setViewportSize({ width: 390, height: 844 })
  await admin.goto('/images')
  const tree = await openTree(admin)
  await admin.keyboard.type('another-one')
  await expect(tree.getByRole('treeitem')).toHaveCount(3)
  const overflow = await admin.evaluate(
    () => document.documentElement.scrollWidth - window.innerWidth,
  )
  expect(overflow).toBeLessThanOrEqual(0)
  await expectAccessible(admin)
})
