import { testNeededRights } from '../../testing/needed-rights'

testNeededRights([
  ['Upsert', [], '"Book:write", "Book:update"'],
  ['Upsert', ['Book:write'], 'the right "Book:update"'],
  ['Upsert', ['Book:read', 'Book:delete'], '"Book:write"'],
  ['Upsert', ['Book:write', 'Book:update'], undefined],
])
