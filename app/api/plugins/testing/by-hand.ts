import { expect } from 'vitest'
import { call } from '@/lib/testing/request'
import * as record from '../../entities/[entityName]/[id]/route'
import * as records from '../../entities/[entityName]/route'
import { deps } from './versions'

type Fields = Record<string, unknown>

/** What people do by the API; each must succeed. */
export async function createByHand(entityName: string, body: Fields): Promise<Fields> {
  const made = { method: 'POST', path: `/api/entities/${entityName}`, body, as: 'ADMIN' }
  const response = await call(deps, records.POST, { ...made, params: { entityName } })
  expect([response.status, response.body.error]).toEqual([201, undefined])
  return response.body.data[0]
}

export async function changeByHand(entityName: string, id: string, body: Fields): Promise<void> {
  const sent = { method: 'PATCH', path: `/api/entities/${entityName}/${id}`, body, as: 'ADMIN' }
  const response = await call(deps, record.PATCH, { ...sent, params: { entityName, id } })
  expect([response.status, response.body.error]).toEqual([200, undefined])
}

export async function deleteByHand(entityName: string, id: string): Promise<void> {
  const sent = { method: 'DELETE', path: `/api/entities/${entityName}/${id}`, as: 'ADMIN' }
  const { status } = await call(deps, record.DELETE, { ...sent, params: { entityName, id } })
  expect(status).toBe(200)
}

/** The values of one field of all records, sorted. */
export async function valuesOf(entityName: string, field: string): Promise<unknown[]> {
  const path = `/api/entities/${entityName}?size=1000`
  const { body } = await call(deps, records.GET, { path, as: 'ADMIN', params: { entityName } })
  expect(body.error).toBeUndefined()
  return body.data.map((one: Fields) => one[field] ?? null).sort()
}
