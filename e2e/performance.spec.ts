import { expect, installSample, test } from './fixtures'
import { MAX_SCRIPT_BYTES } from './script-limit'

const MAX_LAYOUT_SHIFT = 0.05

test('the entity browser is light, holds still and asks once for a page of rows', async ({
  admin,
  api,
}) => {
  await installSample(api, 'world-airports')
  const client = await admin.context().newCDPSession(admin)
  await client.send('Network.enable')
  const scripts = new Set<string>()
  let bytes = 0
  client.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.mimeType.includes('javascript')) scripts.add(requestId)
  })
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength
  })
  const calls: string[] = []
  admin.on('request', (request) => {
    const { pathname } = new URL(request.url())
    // The header asks for what is running every few seconds, however long this takes.
    if (pathname === '/api/tasks') return
    if (pathname.startsWith('/api/')) calls.push(`${request.method()} ${pathname}`)
  })
  await admin.addInitScript(() => {
    const shifts = { total: 0 }
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        shifts.total += (entry as unknown as { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await admin.goto('/entities/Airport?size=250', { waitUntil: 'load' })
  await expect(admin.getByRole('row')).toHaveCount(251)
  await expect(admin.getByText('1–250 of')).toBeVisible()
  await admin.waitForLoadState('networkidle')
  const shifted = await admin.evaluate(
    () => (window as unknown as { shifts: { total: number } }).shifts.total,
  )
  expect(bytes).toBeGreaterThan(50_000)
  expect(bytes).toBeLessThanOrEqual(MAX_SCRIPT_BYTES)
  expect(shifted).toBeLessThan(MAX_LAYOUT_SHIFT)
  // The rows came with the page, so little work is left, and none of it per row.
  expect(calls.filter((call) => call.includes('/Airport/search'))).toEqual([])
  // The titles of what the rows refer to: one search for each of the two entities, and their fields.
  expect(calls.filter((call) => call.includes('/search')).length).toBeLessThan(3)
  expect(calls.length).toBeLessThan(8)
})
