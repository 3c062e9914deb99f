/**
 * Hands over how a request ends, unless the effect that sent it is over by then.
 * @returns the effect's cleanup
 */
export function followRequest<T>(
  request: Promise<T>,
  onAnswer: (answer: T) => void,
  onFailure: (error: unknown) => void = () => undefined,
): () => void {
  let isCurrent = true;
  request.then(
    (answer) => isCurrent && onAnswer(answer),
    (error: unknown) => isCurrent && onFailure(error),
  );
  return () => {
    isCurrent = false;
  };
}
