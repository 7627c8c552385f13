import { expect, test } from "vitest";
import type { Question } from "../model/ticket.ts";
import { readQuestions, readReviewSession } from "./questions.ts";

const at = "2026-03-01T10:00:00.000Z";
const whole: Question = {
  id: "Q-4",
  question: "Which cookie?",
  category: "scope",
  blocking: true,
  answer: "The session's",
  askedBy: "Ada",
  askedAt: at,
  answeredBy: "Bob",
  answeredAt: at,
};

test.each<[string, unknown, Question[]]>([
  ["our own", [whole], [whole]],
  ["texts", ["Why?", ""], [{ id: "Q-1", question: "Why?" }]],
  ["a server's", [{ id: "q_1", text: "Why?", type: "radio" }], [{ id: "q_1", question: "Why?" }]],
  [
    "questions with answers",
    [{ question: "Why?", answer: { text: "So" } }],
    [{ id: "Q-1", question: "Why?", answer: "So" }],
  ],
  [
    "an object by ids",
    { "Q-2": "Why?", q3: { question: "How?" }, count: 2 },
    [
      { id: "Q-2", question: "Why?" },
      { id: "q3", question: "How?" },
    ],
  ],
  ["a list in an object", { questions: ["Why?"] }, [{ id: "Q-1", question: "Why?" }]],
  ["JSON in a text", '["Why?"]', [{ id: "Q-1", question: "Why?" }]],
  ["one text", "Why?", [{ id: "Q-1", question: "Why?" }]],
  [
    "the same id twice",
    [{ id: "Q-1", question: "a" }, { id: "Q-1", question: "b" }, "c"],
    [
      { id: "Q-1", question: "a" },
      { id: "Q-2", question: "b" },
      { id: "Q-3", question: "c" },
    ],
  ],
  [
    "bad parts",
    [{ id: "../x", question: "a", category: 3, blocking: "yes", askedAt: "soon", askedBy: { email: "a@b" } }],
    [{ id: "Q-1", question: "a", category: "3", askedBy: "a@b" }],
  ],
  ["what is none", [null, 3, {}, { question: {} }], []],
])("questions from %s", (_what, questions, expected) => {
  expect(readQuestions({ questions }, {})).toEqual(expected);
});

test("a server's questions are in its specification", () => {
  const techSpec = { clarificationQuestions: ["Why?"] };
  expect(readQuestions({ questions: [] }, techSpec)).toEqual([{ id: "Q-1", question: "Why?" }]);
  expect(readQuestions({ questions: ["How?"] }, techSpec)).toEqual([{ id: "Q-1", question: "How?" }]);
});

test.each<[string, unknown, unknown]>([
  [
    "what was asked",
    { qaItems: [{ question: "a", answer: "b" }, { question: "c" }, {}, 1], submittedAt: at },
    {
      qaItems: [
        { question: "a", answer: "b" },
        { question: "c", answer: "" },
      ],
      submittedAt: at,
    },
  ],
  ["a list", [{ question: "a", answer: "b" }], { qaItems: [{ question: "a", answer: "b" }] }],
  ["nothing", { qaItems: [], submittedAt: at }, undefined],
  ["null", null, undefined],
])("a review session of %s", (_what, value, session) => {
  expect(readReviewSession(value)).toEqual(session);
});
