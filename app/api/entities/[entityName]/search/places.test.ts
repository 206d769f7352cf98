import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { findEntity } from '@/lib/registry/registry'
import { targetOf } from '@/lib/registry/target'
import { searchBody } from '@/lib/search/contract'
import { inputOfBody } from '@/lib/search/read-input'
import { resolveSearch } from '@/lib/search/resolve-search'
import { searchSql } from '@/lib/search/search-sql'
import { budget } from '@/lib/testing/budget'
import { testsOnCitus } from '@/lib/testing/deps'
import { deps, on, PLACES, type Place, post } from './testing/spots'

/** By vectors, so that nothing is shared with the formula of the product. */
function kmBetween(a: Place, b: Place): number {
  const [p, q] = [a, b].map(({ lat, lon }) => {
    const [phi, theta] = [(lat * Math.PI) / 180, (lon * Math.PI) / 180]
    return [Math.cos(phi) * Math.cos(theta), Math.cos(phi) * Math.sin(theta), Math.sin(phi)]
  }) as [[number, number, number], [number, number, number]]
  const cross = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
  return 6371.0088 * Math.atan2(Math.hypot(...cross), p[0] * q[0] + p[1] * q[1] + p[2] * q[2])
}

const isWithin = ({ lat, lon }: Place, [south, west, north, east]: number[]): boolean => {
  const isOn = (one: number) =>
    (west as number) <= (east as number)
      ? one >= (west as number) && one <= (east as number)
      : one >= (west as number) || one <= (east as number)
  return (
    lat >= (south as number) &&
    lat <= (north as number) &&
    (isOn(lon) || (Math.abs(lon) === 180 && isOn(-lon)))
  )
}

/** Metres, since the formula of the product is less exact near the other side of the earth. */
const ABOUT = 1e-3
const degrees = (most: number) =>
  fc.double({ min: -most, max: most, noNaN: true }).map((one) => (Math.abs(one) < 1e-12 ? 0 : one))
const latitude = fc.oneof(degrees(90), fc.constantFrom(-90, 0, 90, 89.99))
const longitude = fc.oneof(degrees(180), fc.constantFrom(-180, 180, 179.95, 0))
const distance = fc.oneof(
  fc.double({ min: 0.01, max: 20040, noNaN: true }),
  fc.constantFrom(5, 300, 10007, 20040),
)

type NearRecord = { id: number; 'place.$distance': number }

test('near finds what the model finds, by distance, on pages and after cursors', async () => {
  await fc.assert(
    fc.asyncProperty(latitude, longitude, distance, fc.boolean(), async (lat, lon, km, down) => {
      const query = [on('near', [lat, lon, km])]
      const sort = [{ field: 'place.$distance', direction: down ? 'desc' : 'asc' }]
      const asked = { query, sort, fields: ['id', 'place.$distance'] }
      const { status, body } = await post({ ...asked, pagination: { size: 1000 } })
      expect(status).toBe(200)
      const found = body.data as NearRecord[]
      const model = new Map(
        PLACES.flatMap((place, at) =>
          place ? [[at + 1, kmBetween({ lat, lon }, place)]] : [],
        ) as [number, number][],
      )
      const ids = new Set(found.map(({ id }) => id))
      for (const [id, away] of model) {
        if (away < km - ABOUT) expect(ids).toContain(id)
        if (away > km + ABOUT) expect(ids).not.toContain(id)
      }
      for (const { id, 'place.$distance': away } of found)
        expect(Math.abs(away - (model.get(id) ?? -1))).toBeLessThan(ABOUT)
      const ordered = [...found].sort((a, b) => {
        const order = a['place.$distance'] - b['place.$distance'] || a.id - b.id
        return down ? -order : order
      })
      expect(found).toEqual(ordered)
      const size = Math.max(1, Math.ceil(found.length / 3))
      const second = await post({ ...asked, pagination: { size, page: 1 } })
      expect(second.body.data).toEqual(found.slice(size, 2 * size))
      const first = await post({ ...asked, pagination: { size } })
      const { next } = first.body.pagination
      if (!next) return
      const after = await post({ ...asked, pagination: { size, cursor: next } })
      expect(after.body.data).toEqual(found.slice(size, 2 * size))
    }),
    budget(12, 7),
  )
})

test('within finds what the model finds', async () => {
  await fc.assert(
    fc.asyncProperty(latitude, latitude, longitude, longitude, async (a, b, west, east) => {
      const box = [Math.min(a, b), west, Math.max(a, b), east]
      const { body } = await post({
        query: [on('within', box)],
        sort: [{ field: 'id' }],
        fields: ['id'],
        pagination: { size: 1000 },
      })
      const expected = PLACES.flatMap((place, at) =>
        place && isWithin(place, box) ? [{ id: at + 1 }] : [],
      )
      expect(body.data).toEqual(expected)
    }),
    budget(25, 11),
  )
})

// On a cluster, the nodes plan their shards by themselves.
test.skipIf(testsOnCitus())('an index serves both, also across the 180th meridian', async () => {
  const target = targetOf(await findEntity(deps, 'Spot'))
  for (const condition of [on('near', [65, 179.99, 50]), on('within', [-20, 170, 10, -170])]) {
    const resolved = resolveSearch(target, inputOfBody(searchBody.parse({ query: [condition] })))
    const plan = await deps.db.transaction(async (tx) => {
      await tx.execute(sql`set local enable_seqscan = off`)
      return rows<object>(tx, sql`explain ${searchSql(target, resolved).page}`)
    })
    expect(JSON.stringify(plan)).toMatch(/BitmapOr.*Bitmap Index Scan on \S+place/)
  }
})
