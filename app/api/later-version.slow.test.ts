import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { migrateOnce } from '@/lib/db/migrations'
import { connectOnce } from '@/lib/db/postgres-connection'
import { testsOnPostgres } from '@/lib/testing/deps'
import { entityFiles, Instances } from './testing/instances'

/** What a later version may do to every table of ours, one after the other: fields that this version does not know. */
const ADDITIONS = `
  do $$ declare own record; begin
    for own in select quote_ident(relname) as name from pg_class
      where relnamespace = 'engine'::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> 'later'
    loop
      execute 'alter table engine.' || own.name || ' add if not exists later_text text,
        add if not exists later_number int not null default 7,
        add if not exists later_of text generated always as (''x'') stored';
      commit;
    end loop;
    create table engine.later (id int primary key);
    insert into engine_migrations.__drizzle_migrations (hash, created_at)
      values ('of a later version', (extract(epoch from now()) * 1000 + 1000000000)::bigint);
  end $$`

const properties = [{ name: 'n', type: 'integer' }]

describe.runIf(testsOnPostgres())('after a later version has changed the schema', () => {
  const instances = new Instances().start(async () => ({ LOG_LEVEL: 'warn' }))

  /** As the later version does when it starts. */
  const changeSchema = () => {
    const { directUrl, databaseUrl } = instances.home
    const connect = () => connectOnce(directUrl || databaseUrl)
    return migrateOnce(connect, (db) => db.execute(sql.raw(ADDITIONS)))
  }

  /** One of each kind of work that writes tables of ours. */
  async function work(n: number): Promise<void> {
    const name = `Worked${n}`
    await instances.install(n, entityFiles(`worked${n}`, { name, properties }))
    await instances.install(n + 1, entityFiles(`worked${n}`, { name, properties }, '2.0.0'))
    const statuses: [number, string][] = []
    const ask = async (method: string, path: string, body?: unknown) => {
      const reply = await instances.ask(n, method, path, body)
      statuses.push([reply.status, `${method} ${path}: ${JSON.stringify(reply.body)}`])
      return reply.body
    }
    const records = `/api/entities/${name}`
    const user = { email: `u${n}@example.com`, roles: ['VIEWER'], profile: {} }
    await ask('POST', records, { n: 1, undeclared: true })
    await ask('POST', `${records}/batch`, [{ n: 2 }, { n: 3 }])
    const { data } = await ask('POST', `${records}/search`, { sort: [{ field: 'n' }] })
    const { meta } = await ask('DELETE', `${records}/${data[0].persistenceId}?undo=7d`)
    await ask('POST', `/api/trash/${meta.batchId}/restore`)
    const [{ userId }] = (await ask('POST', '/api/users/init?generatePassword=true', user)).data
    await ask('PATCH', `/api/users/${userId}`, { profile: { a: 1 } })
    await ask('POST', '/api/api-keys', { name })
    await ask('POST', '/api/entities/EngineUsers/search', {})
    await ask('GET', `/api/plugins/com.example.worked${n}/drift`)
    await ask('DELETE', `/api/plugins/com.example.worked${n}`)
    for (const [status, request] of statuses) expect(status, request).toBeLessThan(300)
    expect(data.map(({ n }: { n: number }) => n)).toEqual([1, 2, 3])
  }

  test('this version goes on, begins, and says so', async () => {
    await instances.underLoad(async () => {
      await work(0)
      await changeSchema()
      await work(1)
      const started = await instances.another()
      expect(started.logged.join()).toContain('brought up to date by a later version of Engine')
      instances.servers.push(started)
      expect(await instances.servers.shift()?.stop()).toBe(0)
      await work(2)
    })
    expect(instances.at(0).logged).toEqual([])
  })
})
