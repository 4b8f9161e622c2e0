/** What is used of `react-native`, which is not installed here: it would be the largest package by far. */
declare module 'react-native' {
  export const AppState: {
    readonly currentState: string | null;
    addEventListener(type: 'change', listener: (state: string) => void): { remove(): void };
  };
}
