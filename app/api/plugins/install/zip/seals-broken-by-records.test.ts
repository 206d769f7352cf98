import { sql } from 'drizzle-orm'
import { testBrokenSeals } from '../../testing/broken-seals'
import { deps } from '../../testing/sealed-plans'

testBrokenSeals([
  [
    'a record of its own changed',
    () => deps.db.execute(sql`update entities.book set title = 'Mine'`),
    /the records of "Book" changed/,
  ],
  [
    'a record was added',
    () => deps.db.execute(sql`insert into entities.book (title) values ('Mine')`),
    /the records of "Book" changed/,
  ],
  [
    'a record changed to which its records refer',
    () => deps.db.execute(sql`update entities.genre set name = 'Roman'`),
    /the records of "Genre" changed/,
  ],
])
