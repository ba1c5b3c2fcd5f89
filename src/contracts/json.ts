export type JsonScalar = string | number | boolean | null;
export type Json = JsonScalar | Json[] | { [key: string]: Json };
