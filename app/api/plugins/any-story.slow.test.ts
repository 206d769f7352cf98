import fc from 'fast-check'
import { expect, test } from 'vitest'
import { budget } from '@/lib/testing/budget'
import { freshDeps, testDeps } from '@/lib/testing/deps'
import { randomStory } from './testing/stories/random-story'
import { tellStory } from './testing/stories/tell-story'

const deps = freshDeps()

test('records of any story are as the documents say, the same with and without keys', async () => {
  const property = fc.asyncProperty(randomStory, async (story) => {
    await testDeps()
    const keyed = await tellStory(deps, { ...story, isKeyed: true })
    await testDeps()
    expect(await tellStory(deps, { ...story, isKeyed: false })).toEqual(keyed)
  })
  await fc.assert(property, { ...budget(2, 1), endOnFailure: true })
}, 36_000_000)
