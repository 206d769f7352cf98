import { type ComponentType, createContext } from 'react'
import type { InputProps } from './value-text'

type ActorInput = ComponentType<InputProps & { Plain: ComponentType<InputProps> }>

/** How a value is entered where it may be one of whoever asks, as in policies; null in ordinary filters. */
export const ActorValues = createContext<ActorInput | null>(null)
