import type { Locator } from '@playwright/test'
import { makeImage } from '../lib/testing/images'
import { expect, expectAccessible, test } from './fixtures'
import { BIG, installProducts, storedText } from './products'

const boxOf = async (locator: Locator) => {
  const box = await locator.boundingBox()
  if (!box) throw new Error('It is not shown')
  return box
}

test('values are written for readers, and mean what the server holds', async ({ admin, api }) => {
  await installProducts(api, 'Product')
  const asked: string[] = []
  admin.on('request', (request) => asked.push(new URL(request.url()).host))
  await admin.goto('/entities/Product')
  const table = admin.getByRole('table', { name: 'Records of Product' })
  const heading = table.getByRole('columnheader', { name: 'Unit price' })
  await expect(heading).toHaveAttribute('title', 'unitPrice: decimal')
  await expect(table.getByRole('columnheader', { name: 'In stock' })).toBeVisible()
  const prices = table.locator('td[data-field="unitPrice"] > span')
  await expect(prices).toHaveText(['1,234,567.5', '3.125'])
  await expect(prices.first()).toHaveAttribute('title', '1234567.5')
  // The same number of digits after the point, the missing ones as empty room.
  await expect(prices.first()).toHaveAttribute('data-filler', '00')
  await expect(table.getByRole('cell', { name: '25,000' })).toBeVisible()
  const time = table.getByRole('cell', { name: '2026-03-14 09:05:00 UTC' })
  await expect(time.locator('time')).toHaveAttribute('title', '2026-03-14T09:05:00.000Z')
  await expectAccessible(admin)

  await time.click({ button: 'right' })
  await admin.getByRole('menuitem', { name: 'Only with this value' }).click()
  await expect(admin.getByText('Bought at is 2026-03-14 09:05:00 UTC')).toBeVisible()
  await expect(admin.getByText('1–1 of 1')).toBeVisible()
  expect(asked.filter((host) => host.includes('stranger'))).toEqual([])
  const stored = await storedText(api, 'Product')
  for (const part of ['"unitPrice":1234567.5', '"boughtAt":"2026-03-14T09:05:00.000Z"'])
    expect(stored).toContain(part)
})

test('a record stands in two columns, in one where it is narrow, history last', async ({
  admin,
  api,
}) => {
  await installProducts(api, 'Wares')
  await admin.setViewportSize({ width: 1440, height: 1000 })
  await admin.goto('/entities/Wares?record=a')
  const panel = admin.getByRole('dialog')
  const fields = panel.getByRole('region', { name: 'Fields' })
  const name = fields.locator('dt', { hasText: 'In stock' })
  const value = fields.locator('dd', { hasText: '25,000' })
  await expect(name).toHaveAttribute('title', 'stock: integer')
  expect((await boxOf(value)).x).toBeGreaterThan((await boxOf(name)).x + 60)
  const place = fields.getByRole('link', { name: '48.1374° N, 11.5755° E' })
  await expect(place).toHaveAttribute('href', 'geo:48.1374,11.5755')
  const history = panel.getByRole('region', { name: 'History' })
  await expect(history.getByText('Created at')).toBeVisible()
  await expect(panel.getByRole('button', { name: 'Copy Details' })).toHaveCount(1)
  await expect(panel.getByRole('button', { name: 'Copy Unit price' })).toHaveCount(1)
  expect((await boxOf(history)).y).toBeGreaterThan((await boxOf(place)).y)
  await admin.setViewportSize({ width: 390, height: 844 })
  expect((await boxOf(value)).x).toBeLessThan((await boxOf(name)).x + 10)
  await expectAccessible(admin)
})

test('an object is edited by keys, and its values keep their types and digits', async ({
  admin,
  api,
}) => {
  await installProducts(api, 'KeyedProduct')
  await admin.goto('/entities/KeyedProduct?record=a&edit=true')
  const details = admin.getByRole('dialog').getByRole('group', { name: 'Details' })
  await expect(details.getByLabel('Value of serial')).toHaveValue(BIG)
  await expect(details.getByLabel('Type of code')).toHaveValue('text')
  await details.getByLabel('Value of code').fill('13')
  await details.getByLabel('Value of boxed').selectOption('Yes')
  await details.getByRole('button', { name: 'Remove maker' }).click()
  await details.getByRole('button', { name: 'Add a key' }).click()
  const key = details.getByRole('textbox', { name: /^Key \d+$/ }).last()
  await key.fill('weight')
  await expect(details.getByText('This key is used twice').first()).toBeVisible()
  await admin.getByRole('button', { name: 'Save' }).click()
  await expect(details.getByText('Correct what is marked above')).toBeVisible()
  await expectAccessible(admin)
  await key.fill('height')
  await details.getByLabel('Type of height').selectOption('Number')
  await expect(details.getByText('Enter a number, such as 12 or 0.5')).toBeVisible()
  await details.getByLabel('Value of height').fill('30.50')
  await admin.getByRole('button', { name: 'Save' }).click()
  await expect(admin.getByText('Saved')).toBeVisible()
  const stored = await storedText(api, 'KeyedProduct')
  const kept = ['"code":"13"', '"weight":1.1', `"serial":${BIG}`, '"boxed":true', '"height":30.5']
  for (const part of [...kept, `"parts":{"of":[${BIG}]}`]) expect(stored).toContain(part)
  expect(stored).not.toContain('maker')
})

test('lists are edited as tags, and anything as JSON', async ({ admin, api }) => {
  await installProducts(api, 'Listing')
  await admin.goto('/entities/Listing?record=a&edit=true')
  const form = admin.getByRole('dialog')
  const tags = form.getByRole('group', { name: 'Tags' })
  await tags.getByRole('combobox', { name: 'Tags' }).fill('wool')
  await admin.keyboard.press('Enter')
  await tags.getByRole('button', { name: 'Remove red' }).click()
  const sizes = form.getByRole('group', { name: 'Sizes' })
  await expect(sizes.getByRole('radio', { name: 'Numbers' })).toBeChecked()
  await sizes.getByRole('combobox', { name: 'Sizes' }).fill('large')
  await admin.keyboard.press('Enter')
  await expect(sizes.getByText('No number: large')).toBeVisible()
  await sizes.getByRole('button', { name: 'Remove large' }).click()
  await sizes.getByRole('combobox', { name: 'Sizes' }).fill('44')
  await admin.keyboard.press('Enter')
  const details = form.getByRole('group', { name: 'Details' })
  await details.getByRole('button', { name: 'Edit as JSON' }).click()
  await form.getByRole('textbox', { name: 'Details' }).fill('{"deep":{"er":[1,"1"]}}')
  await form.getByRole('button', { name: 'Edit as keys and values' }).click()
  await expect(details.getByLabel('Value of deep')).toHaveValue('{"er":[1,"1"]}')
  await admin.getByRole('button', { name: 'Save' }).click()
  await expect(admin.getByText('Saved')).toBeVisible()
  const [stored] = (await (await api.get('/api/entities/Listing/a')).json()).data
  expect(stored).toMatchObject({
    tags: ['winter', 'wool'],
    sizes: [42, 43.5, 44],
    details: { deep: { er: [1, '1'] } },
  })
})

test('Markdown is rendered without its scripts and images, and previewed in the form', async ({
  admin,
  api,
}) => {
  await installProducts(api, 'Written')
  const asked: string[] = []
  admin.on('request', (request) => asked.push(new URL(request.url()).host))
  await admin.goto('/entities/Written?record=a')
  const panel = admin.getByRole('dialog')
  await expect(panel.getByRole('listitem').filter({ hasText: 'Dry slowly' })).toBeVisible()
  await expect(panel.getByRole('cell', { name: '42' })).toBeVisible()
  await expect(panel.getByRole('link', { name: 'More' })).toHaveAttribute('rel', /noreferrer/)
  await expect(panel.getByRole('link', { name: 'A cat' })).toBeVisible()
  await expect(admin).not.toHaveTitle('taken')
  await expectAccessible(admin)
  await panel.getByRole('button', { name: 'Edit' }).click()
  await panel.getByRole('textbox', { name: 'Care' }).fill('It is *new*')
  await panel.getByRole('radio', { name: 'Preview' }).click()
  await expect(panel.getByRole('region', { name: 'Preview of Care' }).locator('em')).toHaveText(
    'new',
  )
  await expectAccessible(admin)
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(admin.getByText('Saved')).toBeVisible()
  expect(await storedText(api, 'Written')).toContain('"care":"It is *new*"')
  expect(asked.filter((host) => host.includes('stranger'))).toEqual([])
})

test('images of this system are shown by address and by reference', async ({ admin, api }) => {
  const buffer = await makeImage('png')
  const file = { name: 'boot.png', mimeType: 'image/png', buffer }
  const multipart = { file, namespace: 'readable', assetId: 'boot' }
  const sent = await (await api.post('/api/images/upload', { multipart })).json()
  const { fileId, secureUri } = sent.data[0]
  await installProducts(api, 'Pictured', `,"photo":"${secureUri}","cover":"${fileId}"`)
  await admin.goto('/entities/Pictured?cols=id,photo,foreignPhoto,cover')
  const cells = admin.getByRole('table').getByRole('cell')
  const shown = (image: Locator) => image.evaluate((one: HTMLImageElement) => one.naturalWidth > 0)
  await expect(cells.locator('img')).toHaveCount(2)
  for (const image of await cells.locator('img').all())
    await expect.poll(() => shown(image)).toBe(true)
  await expect(cells.getByRole('link', { name: /stranger/ })).toBeVisible()
  await admin.goto('/entities/Pictured?record=a')
  const panel = admin.getByRole('dialog')
  await expect(panel.locator('dd img')).toHaveCount(2)
  await expect.poll(() => shown(panel.locator('dd img').first())).toBe(true)
  await expectAccessible(admin)
  const stored = await storedText(api, 'Pictured')
  expect(stored).toContain(`"photo":"${secureUri}"`)
})
