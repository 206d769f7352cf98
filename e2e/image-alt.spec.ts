import { expect, expectAccessible, test } from './fixtures'
import { imagesOf, inFolder, seed, tiles } from './gallery'

test('images without alternative text are marked, counted, found and given one', async ({
  admin,
  api,
}) => {
  await seed(api, 'alt', 3)
  const [first] = await imagesOf(api, 'alt')
  const data = { context: { alt: 'A sunset', credit: 'Studio' } }
  await api.patch(`/api/images/${first.fileId}`, { data })
  await admin.goto(inFolder('alt'))
  await expect(tiles(admin)).toHaveCount(3)
  await expect(tiles(admin, { name: /no alternative text/ })).toHaveCount(2)
  const filter = admin.getByRole('button', { name: /^Without alternative text/ })
  await expect(filter).toHaveText('Without alternative text2')
  await expectAccessible(admin)
  await filter.press('Enter')
  await expect(filter).toHaveAttribute('aria-pressed', 'true')
  await expect(tiles(admin)).toHaveCount(2)
  await expect(admin.getByRole('list', { name: 'Conditions' })).toContainText(
    'Alternative text is empty',
  )

  await tiles(admin).first().press('Enter')
  const panel = admin.getByRole('dialog')
  await expect(panel.getByText('No alternative text')).toBeVisible()
  await expectAccessible(admin)
  await panel.getByRole('button', { name: 'Add alternative text' }).press('Enter')
  await expect(panel.getByLabel('Alternative text')).toBeFocused()
  await panel.getByLabel('Alternative text').fill('x'.repeat(1001))
  await admin.keyboard.press('Enter')
  await expect(panel.getByText('At most 1000 characters are taken')).toBeVisible()
  await panel.getByLabel('Alternative text').fill('A boat at noon')
  await expect(panel.getByText('At most 1000 characters are taken')).toBeHidden()
  await expectAccessible(admin)
  await admin.keyboard.press('Enter')
  await expect(admin.getByText('The alternative text is saved')).toBeVisible()
  await expect(panel.getByText('No alternative text')).toBeHidden()
  await expect(panel.getByRole('img', { name: 'A boat at noon' })).toBeVisible()
  await admin.keyboard.press('Escape')
  await expect(tiles(admin)).toHaveCount(1)
  await expect(filter).toHaveText('Without alternative text1')
  const held = await imagesOf(api, 'alt')
  expect(held.map(({ context }: { context: object }) => context)).toEqual([
    { alt: 'A sunset', credit: 'Studio' },
    { alt: 'A boat at noon' },
    {},
  ])
  await filter.press('Enter')
  await expect(tiles(admin)).toHaveCount(3)
})
