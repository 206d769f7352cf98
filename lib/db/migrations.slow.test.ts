import { readFile } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { expect, test } from 'vitest'

test('installs of before get numbers in the order in which they started, with files and plugins', async () => {
  const db = new PGlite({ extensions: { pg_trgm } })
  const { entries } = JSON.parse(await readFile('drizzle/meta/_journal.json', 'utf8'))
  const apply = async (tags: string[]) => {
    for (const tag of tags) await db.exec(await readFile(`drizzle/${tag}.sql`, 'utf8'))
  }
  const tags: string[] = entries.map(({ tag }: { tag: string }) => tag)
  const at = tags.indexOf('0011_install_numbers')
  await apply(tags.slice(0, at))
  const [old, young] = ['ffffffff', '00000000'].map((part) => `${part}-0000-4000-8000-000000000000`)
  await db.exec(`
    insert into engine.installs (id, source, sha256, status, started_at, completed_at) values
      ('${young}', 'b.zip', '', 'SUCCESS', '2026-01-02', '2026-01-02'),
      ('${old}', 'a.zip', '', 'FAILED', '2026-01-01', '2026-01-01');
    insert into engine.install_files (install_id, path, status, records, duration_ms) values
      ('${young}', 'b.json', 'created', '{}', 1), ('${old}', 'a.json', 'failed', '{}', 1);
    insert into engine.plugins (id, name, manifest, last_history_id) values
      ('p', 'P', '{}', '${young}'), ('gone', 'G', '{}', gen_random_uuid())`)
  await apply(tags.slice(at))
  await db.exec(
    `insert into engine.installs (source, sha256, status) values ('c.zip', '', 'IN_PROGRESS')`,
  )
  const { rows } = await db.query(`
    select i.id::int, source, path, p.id as plugin from engine.installs i
    left join engine.install_files f on f.install_id = i.id
    left join engine.plugins p on p.last_history_id = i.id order by 1`)
  await db.close()
  expect(rows).toEqual([
    { id: 1, source: 'a.zip', path: 'a.json', plugin: null },
    { id: 2, source: 'b.zip', path: 'b.json', plugin: 'p' },
    { id: 3, source: 'c.zip', path: null, plugin: null },
  ])
})
