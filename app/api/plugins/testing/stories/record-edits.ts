import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { rows, tableSql } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { call } from '@/lib/testing/request'
import * as record from '../../../entities/[entityName]/[id]/route'
import * as batch from '../../../entities/[entityName]/batch/route'
import * as records from '../../../entities/[entityName]/route'
import type { FileRecord, Values } from './draft'

const tableOf = (entity: string) => tableSql({ schema: 'entities', name: entity.toLowerCase() })

/** The records of an entity by their numbers. */
export async function storedRecords({ db }: Deps, entity: string): Promise<FileRecord[]> {
  const found = await rows<FileRecord>(
    db,
    sql`select no::int as no, a, b, c from ${tableOf(entity)} order by no`,
  )
  return found.map(({ no, a, b, c }) => ({ no, a, b, c }))
}

/** The installed entities, and whether the plugin owns them. */
export async function storedOwners({ db }: Deps, plugin: string): Promise<Map<string, boolean>> {
  const found = await rows<{ name: string; owner: string | null }>(
    db,
    sql`select name, plugin_id as owner from engine.entities`,
  )
  return new Map(found.map(({ name, owner }) => [name, owner === plugin]))
}

/** What people do with the records of an entity, by the API or by SQL. */
export class RecordEdits {
  constructor(
    private readonly deps: Deps,
    private readonly entity: string,
  ) {}

  async change(no: number, values: Partial<Values>): Promise<void> {
    const input = await this.one(no)
    expect(
      (await call(this.deps, record.PATCH, { ...input, method: 'PATCH', body: values })).status,
    ).toBe(200)
  }

  async changeBySql(no: number, value: string): Promise<void> {
    await this.deps.db.execute(
      sql`update ${tableOf(this.entity)} set a = ${value}::text where no = ${no}::int`,
    )
  }

  async delete(no: number): Promise<void> {
    const input = await this.one(no)
    expect((await call(this.deps, record.DELETE, { ...input, method: 'DELETE' })).status).toBe(200)
  }

  async deleteBySql(no: number | null): Promise<void> {
    const which = no === null ? sql`true` : sql`no = ${no}::int`
    await this.deps.db.execute(sql`delete from ${tableOf(this.entity)} where ${which}`)
  }

  async create(body: FileRecord & { id?: number }): Promise<void> {
    const path = `/api/entities/${this.entity}`
    const { status } = await call(this.deps, records.POST, {
      ...{ method: 'POST', path, body, as: 'ADMIN', params: { entityName: this.entity } },
    })
    expect(status).toBe(201)
  }

  async empty(): Promise<void> {
    const path = `/api/entities/${this.entity}/batch`
    const { status } = await call(this.deps, batch.DELETE, {
      ...{ method: 'DELETE', path, body: { entity: this.entity } },
      ...{ as: 'ADMIN', params: { entityName: this.entity } },
    })
    expect(status).toBe(200)
  }

  private async one(no: number) {
    const [found] = await rows<{ id: string }>(
      this.deps.db,
      sql`select id::text as id from ${tableOf(this.entity)} where no = ${no}::int`,
    )
    const id = String(found?.id)
    const path = `/api/entities/${this.entity}/${id}`
    return { path, as: 'ADMIN', params: { entityName: this.entity, id } }
  }
}
