import type { ConsoleKind } from './console-kind'
import { integer } from './integer'

export const decimal: ConsoleKind = { ...integer, types: ['decimal'], width: 128 }
