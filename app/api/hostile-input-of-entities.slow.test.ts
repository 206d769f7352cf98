import { testPositions } from './testing/hostile/test-positions'

testPositions(({ path }) => path.startsWith('/api/entities/{entityName}'))
