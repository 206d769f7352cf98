import { testPositions } from './testing/hostile/test-positions'

// The operations that the API's document lists for one entity, with its own fields: those of any entity once more.
testPositions((path) => path.startsWith('/api/entities/Thing'))
