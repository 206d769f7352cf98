import type { ConsoleKind } from './console-kind'
import { integer } from './integer'

export const float: ConsoleKind = { ...integer, types: ['number'], width: 120 }
