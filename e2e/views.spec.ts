import { expect, test } from './fixtures'
import { installShelf } from './shelf'

test('an entity comes back as it was left; an address that names something is the truth', async ({
  admin,
  api,
}) => {
  await installShelf(api, 'Kept')
  await admin.goto('/entities/Kept')
  const table = admin.getByRole('table', { name: 'Records of Kept' })
  await table.getByRole('button', { name: 'pages' }).click()
  await table.getByRole('button', { name: 'pages' }).click()
  await expect(admin).toHaveURL(/sort=pages:desc/)
  await admin.getByRole('button', { name: 'Columns' }).click()
  await admin.getByRole('checkbox', { name: 'lent' }).uncheck()
  await admin.getByRole('combobox', { name: 'Height of rows' }).click()
  await admin.getByRole('option', { name: 'Compact' }).click()
  await expect(table.getByRole('row').nth(1)).toHaveClass(/h-7/)
  await admin.keyboard.press('Escape')

  await admin.goto('/entities')
  await admin
    .getByRole('row', { name: /^Kept\s/ })
    .getByRole('link', { name: 'Kept' })
    .first()
    .click()
  await expect(admin).toHaveURL(/sort=pages:desc/)
  await expect(table.getByRole('row').nth(1)).toContainText('Book 149')
  await expect(table.getByRole('row').nth(1)).toHaveClass(/h-7/)
  await expect(table.getByRole('columnheader', { name: /^lent/ })).toHaveCount(0)

  await admin.goto('/entities/Kept?sort=title:asc')
  await expect(table.getByRole('columnheader', { name: /^lent/ })).toHaveCount(0)
  await expect(table.getByRole('row').nth(1)).toContainText('Book 000')
  await expect(admin).toHaveURL(/sort=title:asc/)
})
