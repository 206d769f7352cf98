import { expect, expectAccessible, installSample, test } from './fixtures'

const DEFINITION = '/entities/Airport/definition'

test('a slow search leads to an index, which is built, measured and dropped', async ({
  admin,
  api,
}) => {
  await installSample(api, 'world-airports')
  const query = [{ field: 'wikipedia', operator: 'icontains', value: 'airport' }]
  const search = async () => {
    const response = await api.post('/api/entities/Airport/search', {
      data: { query, sort: [{ field: 'elevationFt', direction: 'desc' }] },
    })
    expect(response.status()).toBe(200)
  }
  await search()
  await admin.goto(DEFINITION)
  const slow = admin
    .getByRole('list', { name: 'Slow searches' })
    .getByRole('listitem')
    .filter({ hasText: 'wikipedia contains …, sorted by elevationFt (descending)' })
  await expect(slow).toBeVisible()
  await expectAccessible(admin)

  await slow.getByRole('button', { name: 'Create index' }).click()
  const ask = admin.getByRole('alertdialog', { name: /Create an index on parts of wikipedia/ })
  await expect(ask).toContainText('It will take about')
  await expectAccessible(admin)
  await ask.getByRole('button', { name: 'Create index' }).click()

  const added = admin.getByRole('list', { name: 'Added indexes' })
  await expect(added.getByText('Ready')).toBeVisible()
  await search()
  await admin.reload()
  await expect(slow).toContainText('on average before the index')
  await expect(slow.getByText('Exists')).toBeVisible()
  await expectAccessible(admin)

  const { width: wide, height } = admin.viewportSize() ?? { width: 1280, height: 720 }
  for (const width of [390, 768]) {
    await admin.setViewportSize({ width, height })
    const isCut = (element: Element) => element.scrollWidth > element.clientWidth
    expect(await added.evaluate(isCut)).toBe(false)
    expect(await admin.locator('html').evaluate(isCut)).toBe(false)
  }
  await admin.setViewportSize({ width: wide, height })
  await added.getByRole('button', { name: /^Drop index/ }).click()
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Drop index' }).click()
  await expect(added).toBeHidden()
  await expect(slow.getByRole('button', { name: 'Create index' })).toBeVisible()
})
