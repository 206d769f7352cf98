import type { Deps } from '@/lib/deps'
import { pluginFiles } from '@/lib/testing/archive'
import { call } from '@/lib/testing/request'
import { GET as RECORDS } from '../../entities/[entityName]/route'
import { POST as RESTORE } from '../../trash/[batchId]/restore/route'
import { GET as TRASH } from '../../trash/route'
import { DELETE } from '../[id]/route'

export const SHOP_ID = 'com.example.shop'
export const LOANS_ID = 'com.example.loans'

const reference = (entity: string) => ({ meta: { reference: { entity, field: 'id' } } })

export const SHOP = pluginFiles(
  {
    EngineTypes: {
      files: { 's.json': { name: 'Short', baseType: 'string', meta: { length: 3 } } },
    },
    EngineSchemas: {
      files: {
        'a.json': { name: 'Author', properties: [{ name: 'name', type: 'string' }] },
        'b.json': {
          name: 'Book',
          properties: [
            { name: 'title', type: 'string', meta: { indexed: true, unique: true } },
            { name: 'author', type: 'bigint', ...reference('Author') },
            { name: 'part', type: 'bigint', ...reference('Book') },
          ],
        },
      },
    },
    EngineEntities: { files: { 'a.json': { name: 'Author' }, 'b.json': { name: 'Book' } } },
    EngineRoles: { files: { 'r.json': { name: 'Clerk' } } },
    EnginePolicies: {
      files: {
        'p.json': { name: 'clerks', principals: ['Clerk'], entities: ['Book'], actions: ['read'] },
      },
    },
    Author: { files: { 'data.json': [{ name: 'Austen' }, { name: 'Brontë' }] } },
    Book: {
      files: {
        'data.json': [
          { id: 1, title: 'Emma', author: 1 },
          { id: 2, title: 'Villette', author: 2 },
          { id: 3, title: 'Persuasion', author: 1, part: 1, note: 'x' },
        ],
      },
    },
  },
  { id: SHOP_ID },
)

export const LOANS = pluginFiles(
  {
    EngineSchemas: {
      files: {
        'l.json': {
          name: 'Loan',
          properties: [{ name: 'book', type: 'bigint', ...reference('Book') }],
        },
      },
    },
    EngineEntities: { files: { 'l.json': { name: 'Loan' } } },
    Loan: { files: { 'data.json': [{ id: 1, book: 1 }] } },
  },
  { id: LOANS_ID, name: 'Loans' },
)

/** `DELETE /api/plugins/:id` */
export const uninstall = (deps: Deps, id: string, query = '', scopes?: string[]) =>
  call(deps, DELETE, {
    method: 'DELETE',
    path: `/api/plugins/${id}${query}`,
    as: 'ADMIN',
    scopes,
    params: { id },
  })

/** `POST /api/trash/:batchId/restore` */
export const restore = (deps: Deps, batchId: string) =>
  call(deps, RESTORE, {
    method: 'POST',
    path: `/api/trash/${batchId}/restore`,
    as: 'ADMIN',
    params: { batchId },
  })

export const readTrash = async (deps: Deps) =>
  (await call(deps, TRASH, { path: '/api/trash', as: 'ADMIN' })).body.data

export const readRecords = (deps: Deps, entityName: string) =>
  call(deps, RECORDS, { path: `/api/entities/${entityName}`, as: 'ADMIN', params: { entityName } })
