import { currentDeps } from '@/lib/testing/deps'
import { makeImage } from '@/lib/testing/images'
import { imageApi } from './image-api'

export const deps = currentDeps()

export const api = imageApi()

export const PNG = await makeImage('png', { width: 4, height: 3 })
