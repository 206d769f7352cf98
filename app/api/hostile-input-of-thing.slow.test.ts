import { testPositions } from './testing/hostile/test-positions'

// The operations that the API's document lists for one entity, with its own fields: those of any entity once more.
// Paths, headers, parameters without a name of their own and what both have by the same name get theirs there.
testPositions(
  ({ path, name }, names) =>
    path.startsWith('/api/entities/Thing') &&
    !/: (path\.|headers$|query\.<name>$)/.test(name) &&
    !names.has(name.replace('/entities/Thing', '/entities/{entityName}')),
)
