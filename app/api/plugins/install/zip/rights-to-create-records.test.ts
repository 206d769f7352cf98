import { testNeededRights } from '../../testing/needed-rights'

testNeededRights([
  ['Ignore', ['Book:update'], 'the right "Book:write"'],
  ['Ignore', ['*:write'], undefined],
  ['Error', [], 'the right "Book:write"'],
])
