import { expect, installSample, test } from './fixtures'

test('a plugin is installed, its records are found and deleted', async ({ api, request }) => {
  const installed = await installSample(api, 'world-airports')
  expect(installed).toMatchObject({ status: 200, data: { totalFiles: 10, failedCount: 0 } })

  const body = {
    fields: ['name', 'iataCode'],
    query: [
      { field: 'country', operator: 'eq', value: 'IS' },
      { field: 'type', operator: 'eq', value: 'large_airport' },
    ],
  }
  expect((await request.post('/api/entities/Airport/search', { data: body })).status()).toBe(401)

  const search = await api.post('/api/entities/Airport/search', { data: body })
  expect(await search.json()).toMatchObject({
    data: [{ name: 'Keflavik International Airport', iataCode: 'KEF' }],
    pagination: { current: 0, total: 1, pages: 1, first: true, last: true },
  })
  const byUrl = await api.get(
    '/api/entities/Airport?fields=name,iataCode&filter=country:eq:IS,type:eq:large_airport',
  )
  expect((await byUrl.json()).data).toEqual((await search.json()).data)

  const query = [{ field: 'continent', operator: 'eq', value: 'AN' }]
  const deleted = await api.delete('/api/entities/Airport/batch', {
    data: { entity: 'Airport', query },
  })
  expect((await deleted.json()).data).toEqual([{ effected: 5 }])
  const rest = await api.get('/api/entities/Airport?size=1')
  expect((await rest.json()).pagination.total).toBe(5_205)
})

test('every file of an archive installed again is unchanged', async ({ api }) => {
  await installSample(api, 'world-airports')
  const { data } = await installSample(api, 'world-airports')
  const logs = await api.get(`/api/plugins/history/${data.history}/logs`)
  const files: { status: string }[] = (await logs.json()).data
  expect(new Set(files.map(({ status }) => status))).toEqual(new Set(['unchanged', 'ignored']))
})

// Bundled code gets errors from other bundles: what the database refuses must be reported here too.
test('the built server reports what the database refuses', async ({ api }) => {
  const { data } = await installSample(api, 'broken-example')
  const logs = await api.get(`/api/plugins/history/${data.history}/logs`)
  const files: { error: string | null }[] = (await logs.json()).data
  const errors = files.flatMap(({ error }) => error ?? [])
  expect(errors).toContain('Conflict Issue!')
  expect(errors).not.toContain('Internal error')

  await installSample(api, 'world-airports')
  const iceland = { data: { code: 'IS', name: 'Iceland', continent: 'EU' } }
  const taken = await api.post('/api/entities/Country', iceland)
  expect(taken.status()).toBe(409)
})

for (const method of ['TRACE', 'PROPFIND']) {
  test(`the built server refuses ${method} in words`, async ({ api }) => {
    const response = await api.fetch('/api/users', { method })
    expect(response.status()).toBe(405)
    expect(response.headers().allow).toContain('DELETE')
    expect(await response.json()).toMatchObject({ code: 405, status: 'METHOD_NOT_ALLOWED' })
  })
}

test('the health of the server is open to all', async ({ page }) => {
  await page.goto('/api/health')
  await expect(page.locator('body')).toContainText('"status":"up"')
})
