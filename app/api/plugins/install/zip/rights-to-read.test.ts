import { describe, expect, test } from 'vitest'
import { pluginFiles } from '@/lib/testing/archive'
import { BOOKS, deps, install, OTHER, titled } from '../../testing/books'
import { install as installAsAdmin } from '../../testing/plugin-api'

describe('definitions', () => {
  test('reveal nothing of stored records to installers who may not read them', async () => {
    await installAsAdmin(deps, BOOKS)
    const responses = await Promise.all(
      [['Emma'], ['Ivanhoe']].map((values) =>
        install(titled({ type: 'string', enum: values }, {})),
      ),
    )
    expect(responses[0]).toEqual(responses[1])
    expect(responses[0]?.message).toContain('"Book:read"')
    const reported = await install(titled({ type: 'string', enum: ['Ivanhoe'] }, {}), 'Book:read')
    expect(reported.verdicts).toEqual({ 'EngineSchemas/Book.json': 'Incompatible change' })
  })

  test('refer to entities of others only by a right to read them', async () => {
    await installAsAdmin(deps, BOOKS)
    const loans = pluginFiles(
      {
        EngineSchemas: {
          files: {
            'Loan.json': {
              name: 'Loan',
              properties: [
                { name: 'book', type: 'number', reference: { entity: 'Book', field: 'no' } },
              ],
            },
          },
        },
        EngineEntities: { files: { 'Loan.json': { name: 'Loan' } } },
        Loan: { files: { 'data.json': [{ book: 1 }] } },
      },
      OTHER,
    )
    const { 'EngineEntities/Loan.json': _, 'Loan/data.json': __, ...declared } = loans
    const { verdicts, message } = await install(declared)
    expect(verdicts).toEqual({ 'EngineSchemas/Loan.json': 'Forbidden' })
    expect(message).toContain('lacks the right "Book:read"')
    const entity = pluginFiles(
      {
        EngineEntities: { files: { 'Loan.json': { name: 'Copy', engineSchema: 'Loan' } } },
      },
      OTHER,
    )
    const allowed = await install(loans, 'Book:read')
    expect(Object.values(allowed.verdicts)).toEqual(['created', 'created', 'created'])
    expect((await install(entity)).verdicts).toEqual({ 'EngineEntities/Loan.json': 'Forbidden' })
    expect((await install(loans, 'Loan:write')).verdicts['EngineSchemas/Loan.json']).toBe(
      'unchanged',
    )
  })
})
