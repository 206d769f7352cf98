import { type Call, get, send } from '../http/cases'
import { quantile } from '../http/rounds'
import { send as request } from '../million/send'

const CALLS = 15
const DELETED = 10_000

/** What is measured, one request at a time; the `n`th differs from the others, so that nothing remembered serves it. */
export type SearchShape = { title: string; calls?: number; call: (n: number) => Call }

/** `records`: how many readings there are; `cursor`: a position far from the start, by sensor. */
export function shapesOf(records: number, cursor: string): SearchShape[] {
  const readings = '/api/entities/Reading'
  return [
    { title: 'one record by id', call: (n) => get(`${readings}/${idOf(n, records)}`) },
    {
      title: 'page sorted by an indexed field',
      call: (n) => get(`${readings}?sort=sensor&filter=id:gt:${n}&count=none`),
    },
    {
      title: 'two filters, with total',
      call: (n) =>
        get(
          `${readings}?filter=sensor:eq:sensor-${n % 500},value:gt:${n % 900}&sort=id&count=exact`,
        ),
    },
    {
      title: 'groups by an enumeration, with count and average',
      call: (n) =>
        send('POST', `${readings}/search`, {
          entity: 'Reading',
          query: [{ field: 'id', operator: 'gt', value: n }],
          groupBy: {
            fields: ['unit'],
            aggregate: [{ function: 'COUNT' }, { function: 'AVG', field: 'value' }],
          },
        }),
    },
    {
      title: 'after a cursor 101,000 records from the start',
      call: (n) => get(`${readings}?sort=sensor&size=${10 + n}&count=none&cursor=${cursor}`),
    },
    {
      title: `delete ${DELETED.toLocaleString('en')} by a condition`,
      calls: 3,
      call: (n) =>
        send('DELETE', `${readings}/batch`, {
          entity: 'Reading',
          query: [
            { field: 'id', operator: 'between', value: [1 + n * DELETED, (n + 1) * DELETED] },
          ],
        }),
    },
  ]
}

const idOf = (n: number, records: number) => records / 2 + ((n * 7919) % (records / 2)) + 1

/** A cursor behind a page far from the start, by sensor. */
export async function deepCursor(url: string): Promise<string> {
  const call = get('/api/entities/Reading?sort=sensor&size=1000&page=100&count=none')
  return JSON.parse(await request(url, call)).pagination.next
}

/** Median of ms. */
export async function measureShape(
  url: string,
  { call, calls = CALLS }: SearchShape,
): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < calls; n++) {
    const startedAt = performance.now()
    await request(url, call(n))
    times.push(performance.now() - startedAt)
  }
  return quantile(times, 0.5)
}
