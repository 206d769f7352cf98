import { testPositions } from './testing/hostile/test-positions'

// The operations that the API's document lists for one entity, with its own fields: those of any entity once more.
// Paths, headers and parameters without a name of their own are those of any entity, which get theirs there.
testPositions(
  ({ path, name }) =>
    path.startsWith('/api/entities/Thing') && !/: (path\.|headers$|query\.<name>$)/.test(name),
)
