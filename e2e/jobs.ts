import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from './fixtures'
import { countPresses, type Measured, measure } from './job'
import { JOBS_OF_A_WEEK } from './jobs-of-a-week'
import { JOBS_OF_FILES } from './jobs-of-files'
import { JOBS_OF_PEOPLE } from './jobs-of-people'
import { JOBS_OF_RECORDS } from './jobs-of-records'
import { JOBS_OF_SERVERS } from './jobs-of-servers'

const TABLE = 'e2e/jobs.md'
const JOBS = {
  ...JOBS_OF_RECORDS,
  ...JOBS_OF_FILES,
  ...JOBS_OF_PEOPLE,
  ...JOBS_OF_A_WEEK,
  ...JOBS_OF_SERVERS,
}
const measured = new Map<number, Measured>()

for (const [number, job] of Object.entries(JOBS))
  test(`job ${number}`, async ({ admin, api }) => {
    await countPresses(admin)
    await admin.goto('/')
    const found = await measure(job, { page: admin, api })
    expect(found.clicks).toBeLessThanOrEqual(job.clicks)
    measured.set(Number(number), found)
  })

test.afterAll(() => writeFileSync(TABLE, written(readFileSync(TABLE, 'utf8'))))

/** The table with what was measured in its third and fourth column. */
const written = (text: string): string =>
  text.replace(/^(\| (\d+) \|[^|]*\|)[^|]*\|[^|]*\|/gm, (row, begin, number) => {
    const found = measured.get(Number(number))
    return found ? `${begin} ${found.clicks} | ${found.seconds.toFixed(1)} |` : row
  })
