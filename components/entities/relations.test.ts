import { expect, test } from 'vitest'
import { relationsOf } from './relations'

const reference = { entity: 'Film', field: 'id' }

test('relations are lists of links, and the fields that refer to an entity where they can be followed', () => {
  const link = { link: 'FilmTag', field: 'film', to: 'tag' }
  const meta = {
    links: [{ relation: 'tags', entity: 'Tag', ...link }],
    referencedBy: [
      { entity: 'Review', field: 'film', label: null, reference, relation: 'ReviewByFilm' },
      { entity: 'Copy', field: 'film', label: 'Title', reference, relation: 'CopyByFilm' },
      { entity: 'Showing', field: 'film', label: null, reference, relation: 'showings' },
      { entity: 'Apart', field: 'film', label: null, reference },
    ],
  }
  expect(relationsOf({ meta }).map(({ name, label, entity }) => [name, label, entity])).toEqual([
    ['tags', 'Tags', 'Tag'],
    ['ReviewByFilm', 'Review by Film', 'Review'],
    ['CopyByFilm', 'Copy by Title', 'Copy'],
    ['showings', 'Showings', 'Showing'],
  ])
  expect(relationsOf(undefined)).toEqual([])
})
