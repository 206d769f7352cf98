import type { APIRequestContext } from '@playwright/test'
import { totalOf } from './books'
import { expect, expectAccessible, test } from './fixtures'

const TOWER = { lat: 48.8584, lon: 2.2945 }

/** 60 sights, each a tenth of a degree (7 to 8 km) east of the one before, the first in Paris; the last has no place. */
async function makeSights(api: APIRequestContext, name: string): Promise<void> {
  const pks = [{ key: 'code', strategy: 'Fixed', type: 'string' }]
  const properties = [
    { name: 'code', type: 'string' },
    { name: 'place', type: 'location', meta: { indexed: true } },
  ]
  const model = {
    plugin: `local.${name}`,
    entities: [{ name, pks }],
    schemas: [{ name, properties }],
  }
  expect((await api.post('/api/model/apply', { data: model })).status()).toBe(200)
  const records = Array.from({ length: 60 }, (_, at) => ({
    code: `Sight ${String(59 - at).padStart(2, '0')}`,
    place: at < 59 ? { lat: TOWER.lat, lon: TOWER.lon + at / 10 } : null,
  }))
  const made = await api.post(`/api/entities/${name}/batch`, { data: records })
  expect(made.ok(), await made.text()).toBe(true)
}

test('records are found around a place, nearest first, and moved', async ({ admin, api }) => {
  await makeSights(api, 'Sight')
  await admin.goto('/entities/Sight')
  const table = admin.getByRole('table')
  await expect(admin.getByText('1–50 of 60')).toBeVisible()
  await expect(table.getByText('48.8584° N, 2.2945° E')).toHaveCount(0)

  await admin.getByRole('button', { name: 'Filter' }).click()
  await admin.getByRole('option', { name: 'Place' }).click()
  const number = (name: string) => admin.getByRole('textbox', { name, exact: true })
  await number('Latitude').fill('48.8584')
  await number('Longitude').fill('2.2945')
  await number('Kilometres').fill('fifty')
  await admin.getByRole('button', { name: 'Apply' }).click()
  await expect(admin.getByText(/^Enter lat\|lon\|km/)).toBeVisible()
  await expectAccessible(admin)
  await number('Kilometres').fill('50')
  await admin.getByRole('button', { name: 'Apply' }).click()
  const chips = admin.getByRole('list', { name: 'Conditions' })
  await expect(chips).toContainText('Place within 50 km of 48.8584, 2.2945')
  const query = [{ field: 'place', operator: 'near', value: ['48.8584', '2.2945', '50'] }]
  expect(await totalOf(api, 'Sight', query)).toBe(7)
  await expect(admin.getByText('1–7 of 7')).toBeVisible()

  await table
    .getByRole('columnheader', { name: /^Place/ })
    .getByRole('button')
    .first()
    .click()
  await expect(table.getByRole('row').nth(1)).toContainText('Sight 59')
  await expect(table.getByRole('row').nth(1)).toContainText('48.8584° N, 2.2945° E')
  await expect(table.getByRole('row').nth(7)).toContainText('Sight 53')

  await table.getByText('Sight 59').click()
  const panel = admin.getByRole('dialog')
  await panel.getByRole('button', { name: 'Edit' }).click()
  await panel.getByRole('textbox', { name: 'Latitude of Place' }).fill('91')
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(panel.getByText(/Enter latitude and longitude/)).toBeVisible()
  await panel.getByRole('textbox', { name: 'Latitude of Place' }).fill('51.5, -0.12')
  await expectAccessible(admin)
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(panel.getByText('51.5° N, 0.12° W')).toBeVisible()
  const moved = await (await api.get('/api/entities/Sight/Sight%2059')).json()
  expect(moved.data[0].place).toEqual({ lat: 51.5, lon: -0.12 })
  await expect(admin.getByText('1–6 of 6')).toBeVisible()
})
